"""The app's door: page settings and navigation. Run it with `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

PAGES = Path(__file__).resolve().parent / "pages"

# A file of our own: Streamlit fetches the icons that it knows by name from another site.
ICON = PAGES / "parts" / "icon.svg"

st.set_page_config(page_title="Guest Desk", page_icon=str(ICON), layout="wide")
st.navigation(
    [st.Page(PAGES / "screens" / "guest.py", title="Guest", icon=":material/chat:", default=True)],
    position="top",
).run()
