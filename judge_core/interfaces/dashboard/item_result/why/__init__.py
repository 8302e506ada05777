"""Why: one item opened, its parts beside what each judge said of them."""
