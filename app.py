"""The app's door: page settings and navigation. Run it with `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

PAGES = Path(__file__).resolve().parent / "pages"

st.set_page_config(page_title="Guest Desk", page_icon=":material/concierge:", layout="wide")
st.navigation(
    [st.Page(PAGES / "guest.py", title="Guest", icon=":material/chat:", default=True)], position="top"
).run()
