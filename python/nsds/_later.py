"""Classes that a module makes, but that a module above defines. The module above enters its classes here."""

Simulation = Scene = Problem = None
