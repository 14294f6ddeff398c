"""What the rehearsal model does in each role: reads the same briefing as a live model, answers in the same form.

Each module has one function, `reply(subject, messages, tools) -> AIMessage`.
"""
