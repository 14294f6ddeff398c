"""The steps of a turn, one file each. A step takes the state and the run's context, and returns only the
fields that it changes. Steps never import each other; `flow.py` puts them in order."""
