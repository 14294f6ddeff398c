"""The shared desk of the graph's tests, for tests of faults."""

from tests.flow.conftest import one_desk, stage

__all__ = ["one_desk", "stage"]
