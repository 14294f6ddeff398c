"""The parts of `understand.py`: clauses, patterns, rules, and what hangs on the context."""
