"""The models behind one interface: rehearsal and live."""
