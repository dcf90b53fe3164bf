# pplab's commands. `make help` lists them; each needs only Python 3.11+, make and the package
# registry, and does nothing that has been done already.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.SUFFIXES:

# The first interpreter on the PATH that is new enough, looked for once and only when it is
# needed; `make PYTHON=...` names another.
PYTHON ?= $(eval PYTHON := $(FIND_PYTHON))$(PYTHON)
FIND_PYTHON = $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
    "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$name" && exit; \
    done; echo python3)
VENV := .venv
BIN := $(VENV)/bin
# Written last by a finished installation: while it is missing or older than the lock, install.
READY := $(VENV)/pplab-is-installed
UV_VENV := build/uv
MUTANTS_VENV := build/mutants/venv
MUTANTS := cosmic-ray==8.7.0

PAPER ?=
REPRODUCE_ARGS ?=
# All papers, two at a time, the longest first; one that is named, or a part of one, runs alone.
TWO_PAPERS = $(if $(PAPER)$(filter --part%,$(REPRODUCE_ARGS)),,\
    printf '%s\n' smooth social microaggregation noise-graphs | xargs -P 2 -n 1)
PYTEST_ARGS ?=
# Processes that run tests side by side.
JOBS ?= 2
SIDE_BY_SIDE = -n $(JOBS) --dist worksteal --durations=3
LAB_ARGS ?=
BOOK_ARGS ?=
BENCH_ARGS ?= --trial
LOCK_ARGS ?=
MUTANTS_ARGS ?=

.PHONY: help install lab test verify reproduce notebooks book slides counts bench mutants lock clean

help:  ## list these commands (this is what plain `make` does)
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{printf "%-18s %s\n", $$1, $$2}'

install: $(READY)  ## create .venv with exactly the versions of requirements.lock
	@echo "install: $(VENV) has what requirements.lock lists"

lab: $(READY)  ## open JupyterLab on the first notebook (LAB_ARGS="--no-browser" without a screen)
	@$(BIN)/python -m pplab lab pplab-course $(LAB_ARGS)

test: $(READY)  ## check style, types and all that needs no data (PYTEST_ARGS="-k jaccard" for a part)
	@echo "test: 1 of 4, ruff looks for mistakes"
	@$(BIN)/python -m ruff check --quiet .
	@echo "test: 2 of 4, ruff compares the layout of the code"
	@$(BIN)/python -m ruff format --check --quiet . \
	    || { echo "test: mend the layout with .venv/bin/ruff format ."; exit 1; }
	@echo "test: 3 of 4, mypy checks the types"
	@$(BIN)/python -m mypy --no-error-summary
	@echo "test: 4 of 4, pytest runs the tests, the examples in docstrings and the notebooks"
	@unset PPLAB_DATA; $(BIN)/python -m pytest $(SIDE_BY_SIDE) $(PYTEST_ARGS)

verify: $(READY)  ## check the rest: real data, results, notebooks, browser, installation
	@test -n "$$PPLAB_DATA" || echo "verify: PPLAB_DATA names no folder, so what needs real data is skipped"
	@$(BIN)/python -m pytest -m verify $(SIDE_BY_SIDE) $(PYTEST_ARGS)

reproduce: $(READY)  ## measure what the papers printed (PAPER=noise-graphs, REPRODUCE_ARGS="--full --again")
	@echo "reproduce: finished parts are kept; Ctrl-C is safe, the same command goes on"
	@$(TWO_PAPERS) $(BIN)/pplab reproduce $(PAPER) $(REPRODUCE_ARGS)

notebooks: $(READY)  ## run the notebook sources, write the student notebooks and the solutions
	@echo "notebooks: notebooks/src is run and written to notebooks/ and notebooks/solutions/"
	@$(BIN)/python notebooks/build.py

slides: $(READY)  ## write a deck for each notebook to build/slides; it opens without a network
	@$(BIN)/python book/slides.py

book: $(READY)  ## write the course as a web site to build/book/html (BOOK_ARGS=--pdf prints it, too)
	@echo "book: what is committed becomes pages that open without a network; the first time, or after a"
	@echo "book: change of pplab, the notebooks run for some minutes, so that their widgets move there"
	@$(BIN)/python book/build.py $(BOOK_ARGS)

counts: $(READY)  ## write what is counted in README, CHANGELOG and findings anew
	@$(BIN)/python docs/counts.py

bench: $(READY)  ## time pplab against the tools one would pick (BENCH_ARGS= for full sizes: hours)
	@failed=; for script in benchmarks/[a-z]*.py; do \
	    test -e "$$script" || { echo "bench: benchmarks/ holds no script"; exit 1; }; \
	    test "$$script" != benchmarks/house.py || continue; \
	    echo "bench: $$script"; \
	    $(BIN)/python "$$script" $(BENCH_ARGS) || failed="$$failed $$script"; \
	done; \
	test -z "$$failed" || { echo "bench: failed:$$failed"; exit 1; }

mutants: $(READY) $(MUTANTS_VENV)/ready  ## count faults that tests see; hours (MUTANTS_ARGS="--most 20 pplab/response")
	@$(MUTANTS_VENV)/bin/python benchmarks/_mutants.py $(MUTANTS_ARGS)

lock: $(UV_VENV)/ready  ## resolve both lock files anew (LOCK_ARGS=--upgrade for newer versions)
	@echo "lock: resolving pyproject.toml for Python 3.11 and above, with hashes"
	@$(call resolve,requirements.lock,--all-extras)
	@$(call resolve,requirements-lab.lock,--extra lab --constraint requirements.lock)

# What is written there and fits stays; students get the versions that the tests ran with.
define resolve
	{ test ! -e $(1) || cp $(1) build/$(1); } && \
	$(UV_VENV)/bin/uv pip compile pyproject.toml $(2) --universal --python-version 3.11 \
	    --generate-hashes --no-emit-index-url --no-header --no-annotate --quiet $(LOCK_ARGS) \
	    --output-file build/$(1) && \
	if cmp -s build/$(1) $(1); \
	then echo "lock: $(1) is up to date"; \
	else mv build/$(1) $(1) && echo "lock: $(1) is new"; fi
endef

clean:  ## remove .venv, build/ and caches; notebooks, results and downloads stay
	@echo "clean: removing .venv, build/ and the caches of tests and compilers"
	@rm -rf $(VENV) build dist pplab.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis
	@find pplab packages tests notebooks benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} +

# An interrupted run leaves no $(READY); what pip had finished by then is not installed twice.
$(READY): requirements.lock pyproject.toml
	@$(call check_python)
	@echo "install: $(VENV) gets the versions of requirements.lock (about two minutes the first time)"
	@$(BIN)/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	    || "$(PYTHON)" -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	    --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	    --no-deps --no-build-isolation -e .
	@touch $(READY)

$(UV_VENV)/ready:
	@$(call check_python)
	@echo "lock: a throw-away environment in $(UV_VENV) gets uv"
	@"$(PYTHON)" -m venv --clear $(UV_VENV)
	@$(UV_VENV)/bin/python -m pip install --quiet --disable-pip-version-check uv
	@touch $@

$(MUTANTS_VENV)/ready: Makefile
	@$(call check_python)
	@echo "mutants: an environment of its own in $(MUTANTS_VENV) gets $(MUTANTS)"
	@"$(PYTHON)" -m venv --clear $(MUTANTS_VENV)
	@$(MUTANTS_VENV)/bin/python -m pip install --quiet --disable-pip-version-check $(MUTANTS)
	@touch $@

define check_python
	"$(PYTHON)" -c '' 2>/dev/null || { \
	    echo "There is no Python at '$(PYTHON)': install Python 3.11 or newer, or say where it is: make PYTHON=/path/to/python3.11"; exit 1; }; \
	"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "pplab needs Python 3.11 or newer, and '$(PYTHON)' is $$("$(PYTHON)" --version 2>&1): install a newer one, or say where it is: make PYTHON=/path/to/python3.11"; exit 1; }; \
	"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	    echo "'$(PYTHON)' cannot make virtual environments: on Debian and Ubuntu install python3-venv, then run make again"; exit 1; }
endef
