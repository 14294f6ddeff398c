"""The app with the scripted desk, for a browser: `PYTHONPATH=. streamlit run tests/pages/fake_app.py`.

FAKE_HOME is the folder for its turn log, FAKE_PACE the seconds that each node takes.
"""

import os
import runpy
from pathlib import Path

import streamlit as st

from pages.parts import door
from tests.pages.fake_desk import NAMES, Script, fake_desk


@st.cache_resource(show_spinner=False)
def scripted() -> object:
    """One desk for all sessions, as in the app."""
    return fake_desk(Path(os.environ["FAKE_HOME"]), Script(float(os.environ.get("FAKE_PACE", "0"))))


door.desk_for_pages = scripted
door.hotel_names = lambda: NAMES
runpy.run_path(str(Path(__file__).resolve().parents[2] / "app.py"))
