"""Nothing happens at import: no setting read, no file made or opened, no thread begun."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from desk.settings import ROOT

# Runs in a process of its own, with an empty environment, in an empty folder. An audit hook sees every file
# that is opened and every database that is connected while the modules are imported.
PROGRAM = """
import json, sys, threading
home, data = sys.argv[1], sys.argv[2]
opened = []

def watch(event, args):
    if event in ("open", "sqlite3.connect", "os.mkdir", "socket.connect"):
        target = str(args[0]) if args else ""
        # pytest and Python's own files aside: what the desk must not touch is its home and its data
        if event != "open" or target.startswith((home, data)):
            opened.append(f"{event} {target}")

import importlib, pkgutil
import desk
names = sorted(m.name for m in pkgutil.walk_packages(desk.__path__, "desk."))
# Libraries may read their own data; what is watched is what the desk's own modules do.
threads_before = set(threading.enumerate())
sys.addaudithook(watch)
for name in names:
    importlib.import_module(name)
began = [t.name for t in threading.enumerate() if t not in threads_before]
print(json.dumps({"names": names, "opened": opened, "began": began}))
"""


def test_importing_every_module_does_nothing(tmp_path: Path) -> None:
    """With an empty environment every module imports; nothing is opened under DESK_HOME or data/, nothing runs."""
    environment = {"PYTHONPATH": str(ROOT), "PATH": os.environ.get("PATH", ""), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path), str(ROOT / "data")],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert len(seen["names"]) > 60
    assert {"desk.flow", "desk.runner", "desk.steps.merge", "desk.models.live"} <= set(seen["names"])
    assert seen["opened"] == []
    assert seen["began"] == []
    assert list(tmp_path.iterdir()) == []


def test_the_provider_library_is_not_needed_to_rehearse() -> None:
    """Opening a desk without a key does not load the slow live client."""
    program = "import sys, desk.bootstrap; print('langchain_openai' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.strip() == "False"
