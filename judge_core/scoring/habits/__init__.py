"""How judges behave: bias towards length and kin, families of models, agreement."""
