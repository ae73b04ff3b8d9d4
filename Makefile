# `make demo` and `make test` need Python 3.11 or later, a C library and a package index, and nothing else: they make .venv/ here.
# PYTHON=/path/to/python picks another interpreter; ARGS="-k crossings" goes on to pytest. uv installs where it is on the PATH,
# pip otherwise; `make demo UV=` takes pip all the same.

VENV := .venv
RUN := $(VENV)/bin/python
# The demo needs the core alone; all else needs what developers use, in the same .venv/. LOCKED=yes installs the versions in
# requirements.lock, checked by their hashes, and not the newest that pyproject.toml allows.
CORE := $(VENV)/.installed-core
STAMP := $(VENV)/.installed$(if $(LOCKED),-locked)
EXTRAS := data,dev,docs,export,mujoco,openspiel,photo,push,rl,video,web
comma := ,
UV := $(shell command -v uv 2>/dev/null)
# Python compiles what it imports; compiling everything that is installed would take longer than the demo.
INSTALL = $(if $(UV),$(UV) pip install --quiet --python $(RUN),$(RUN) -m pip install --quiet --disable-pip-version-check --no-compile)
CANDIDATES := python3.11 python3 python3.12 python3.13 python3.14 python
# What an interpreter must be able to do; a broken shim or a Python without the venv package fails here, not half-way through.
PROBE := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))

.PHONY: help demo test test-all pages lint javascript types docs site pictures bench release lock clean
help:
	@echo "make demo    replay a shipped game with physics; leaves a picture and a short film in out/"
	@echo "make test    what a change must pass, in minutes   make test-all   that and the slow tests"
	@echo "make lint    ruff, import rules, JavaScript    make types   mypy --strict"
	@echo "make pages   the pages of the server, opened in Chromium"
	@echo "make docs    run what the documentation shows  make site    these docs as a site, in out/site"
	@echo "make bench   the figures of docs/performance.md"
	@echo "make release   wheel and source distribution in dist/, built twice, compared, and checked in fresh environments"
	@echo "make lock    write requirements.lock anew; ARGS=--upgrade takes the newest versions that pyproject.toml allows"
	@echo "make pictures   the pictures of the pages, in docs/pictures (needs Chromium)"
	@echo "make clean   remove .venv/, out/ and every cache"

# Makes the virtual environment, if there is none that works.
define make-venv
	@set -e; \
	if ! $(RUN) -c '$(PROBE)' 2>/dev/null; then \
	  for candidate in $(if $(PYTHON),"$(PYTHON)",$(CANDIDATES)); do \
	    if "$$candidate" -c '$(PROBE)' >/dev/null 2>&1; then found=$$candidate; break; fi; \
	  done; \
	  if [ -z "$$found" ]; then \
	    echo "Shutoko needs Python 3.11 or later with its venv module; tried: $(or $(PYTHON),$(CANDIDATES))." >&2; \
	    echo "Install Python 3.11 (on Debian and Ubuntu also python3.11-venv), or name one: make PYTHON=/path/to/python3.11" >&2; \
	    exit 1; \
	  fi; \
	  echo "Making $(VENV)/ with $$("$$found" --version) ..."; \
	  if [ -n "$(UV)" ]; then \
	    "$(UV)" venv --quiet --clear --python "$$("$$found" -c 'import sys; print(sys.executable)')" $(VENV); \
	    $(INSTALL) pip; \
	  else \
	    "$$found" -m venv --clear $(VENV); \
	  fi; \
	fi
endef

$(CORE): pyproject.toml Makefile shutoko/__init__.py
	$(make-venv)
	@echo "Installing Shutoko and what it needs into $(VENV)/ (once) ..."
	@$(INSTALL) --editable .
	@touch $@

$(STAMP): pyproject.toml Makefile shutoko/__init__.py $(if $(LOCKED),requirements.lock)
	$(make-venv)
	@echo "Installing Shutoko with all that its tests need into $(VENV)/ (a minute or two, once) ..."
ifdef LOCKED
	@$(INSTALL) --require-hashes --requirement requirements.lock
	@$(INSTALL) --no-deps --editable .
else
	@$(INSTALL) --editable '.[$(EXTRAS)]'
endif
	@touch $(CORE) $@

demo: $(if $(LOCKED),$(STAMP),$(CORE))
	@$(RUN) examples/demo.py out

test: $(STAMP)
	$(RUN) -m pytest -n auto --dist worksteal -m "not slow and not docs and not pages" $(ARGS)

test-all: test
	$(RUN) -m pytest -n auto --dist worksteal -m "slow and not docs and not pages" $(ARGS)

pages: $(STAMP)
	$(RUN) -m pytest -n auto --maxprocesses 3 --dist worksteal -m pages tests/shutoko/web/pages tests/test_fourth_game.py $(ARGS)

lint: $(STAMP)
	$(RUN) -m ruff check --no-cache
	$(RUN) -m ruff format --check --no-cache
	$(VENV)/bin/lint-imports
	@$(MAKE) --no-print-directory javascript

# Biome and TypeScript, in the versions of tools/javascript/package-lock.json. Whoever writes Python alone needs no Node.js.
javascript:
	@if ! command -v npm >/dev/null; then \
	  echo "NO NPM: THE JAVASCRIPT OF THE PAGES IS NOT CHECKED; install Node.js 20 or later, with npm" >&2; \
	elif ! { [ tools/javascript/node_modules/.package-lock.json -nt tools/javascript/package-lock.json ] || \
	  npm ci --prefix tools/javascript --ignore-scripts --no-audit --no-fund --loglevel=error; }; then \
	  echo "NO BIOME AND NO TYPESCRIPT: THE JAVASCRIPT OF THE PAGES IS NOT CHECKED; npm could not install them" >&2; \
	else \
	  npm run --prefix tools/javascript --silent check; \
	fi

types: $(STAMP)
	$(RUN) -m mypy

docs: $(STAMP)
	$(RUN) -m pytest -n auto --dist worksteal -m docs tests/test_docs.py tests/test_notebooks.py $(ARGS)

pictures: $(STAMP)
	$(RUN) -m tests.pictures $(ARGS)

site: $(STAMP)
	$(RUN) -m sphinx --quiet --fail-on-warning --keep-going --conf-dir docs . out/site
	@echo "open out/site/index.html"

bench: $(STAMP)
	$(RUN) benchmarks/run.py $(ARGS)

release: $(STAMP)
	@$(if $(UV),,$(INSTALL) 'uv>=0.9,<1')
	@UV='$(UV)' $(RUN) tools/release.py $(ARGS)

lock: $(STAMP)
	$(if $(UV),,$(INSTALL) 'uv>=0.9,<1')
	$(or $(UV),$(VENV)/bin/uv) pip compile pyproject.toml $(foreach extra,$(subst $(comma), ,$(EXTRAS)),--extra $(extra)) --universal \
	  --python-version 3.11 --generate-hashes --no-strip-extras --custom-compile-command "make lock" --quiet --output-file requirements.lock $(ARGS)

clean:
	rm -rf $(VENV) out build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks mutants
	rm -rf tools/javascript/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
