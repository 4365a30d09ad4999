"""Values, errors and rules: frozen, standard library only, no clock, no I/O."""
