"""The rehearsal model: deterministic, offline, for the desk's own subject."""
