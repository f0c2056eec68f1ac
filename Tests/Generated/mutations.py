"""Planted changes of the features' behavior, one of which a run of the host chooses."""


class Mutations:
    """The planted changes of a host, by number. Number 0 is none."""

    def __init__(self):
        self.all = []

    def add(self, feature, kind):
        """Returns the number of a new change, for `mutated` and the functions beside it in Sources/Mutations.swift."""
        self.all.append({"number": len(self.all) + 1, "feature": feature, "kind": kind})
        return len(self.all)
