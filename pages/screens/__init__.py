"""The pages themselves, one script each; `app.py` names them.

They stand a folder below `pages/`: what stands in it Streamlit takes for pages of its own before app.py has run,
and a browser that comes back after a restart would be sent there.
"""
