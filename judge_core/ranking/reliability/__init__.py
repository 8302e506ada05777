"""How far a ranking and its judges can be relied on: separation and its coin, misfit, circles, halves, panels. Pure maths."""
