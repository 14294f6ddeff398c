# Everything runs in .venv, made from requirements.lock on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test check fix eval bench load hostile lock clean help

help:  ## what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

$(READY): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14) and "Guest Desk needs Python 3.11 to 3.13: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	@touch $(READY)

run: $(READY)  ## serve the app on http://localhost:8501
	@$(BIN)/python -c "from desk.settings import check; check()"
	$(BIN)/python -m streamlit run app.py

test: $(READY)  ## the whole test suite
	$(BIN)/python -m pytest -q -n auto --dist loadfile

check: $(READY)  ## lint, types and import contracts; changes nothing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fix: $(READY)  ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

eval: $(READY)  ## answers graded against the databases; LIVE=1, TRIALS=n, LIMIT=n, DATA=folder, JSON=1
	$(BIN)/python -m tests.eval $(if $(LIVE),--live) $(if $(TRIALS),--trials $(TRIALS)) $(if $(LIMIT),--limit $(LIMIT)) $(if $(DATA),--data $(DATA)) $(if $(OUT),--out $(OUT)) $(if $(JSON),--json)

FULL_LOAD := --guests 50 --minutes 5 --think 20-30

bench: $(READY)  ## time, memory, growth and load; LOAD=full takes five minutes more, JSON=1 adds a JSON line
	$(BIN)/python -m tests.bench $(if $(filter full,$(LOAD)),$(FULL_LOAD)) $(if $(JSON),--json)

load: $(READY)  ## the full load alone: fifty guests for five minutes; JSON=1 adds a JSON line
	$(BIN)/python -m tests.bench --only load $(FULL_LOAD) $(if $(JSON),--json)

hostile: $(READY)  ## a thousand turns against a hostile model; TURNS=n, SEED=n, JSON=1
	$(BIN)/python -m tests.hostile $(if $(TURNS),--turns $(TURNS)) $(if $(SEED),--seed $(SEED)) $(if $(JSON),--json)

lock: $(READY)  ## renew requirements.lock from pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --extra dev --no-emit-index-url --no-emit-trusted-host --no-header --output-file requirements.lock pyproject.toml

clean:  ## remove what was made here (conversations in .desk stay)
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache
