# Needs Python 3.11 or newer, its venv module, and make; everything else is installed in .venv.
# A stamp in .venv says what is installed; it is made again when the files it came from change.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help play house test test-all test-gpu cluster mutants evenings lint site package versions pictures bench bench-all bench-envs bench-gpu ladders clean constraints

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
NEWER := import sys; sys.exit(sys.version_info < (3, 11))
# Tests of browsers and servers also wait, so half as many again run at once as there are processors.
WORKERS := $(shell echo $$(( ($$(getconf _NPROCESSORS_ONLN) * 3 + 1) / 2 )))
T ?=
AREA ?= stats

help: ## list what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1|\2/p' Makefile | while IFS='|' read -r name what; do \
		printf '%-17s %s\n' "$$name" "$$what"; done

play: $(VENV)/play ## play all games in the browser, with friends and bots
	@$(BIN)/yegg serve --open

house: $(VENV)/house ## try several servers: two on one PostgreSQL, behind one address
	@scripts/install-postgresql
	@$(BIN)/python scripts/house.py

# Modules that tests and their servers import are compiled once, whatever the environment says.
test test-all: export PYTHONDONTWRITEBYTECODE :=
RUN_TESTS = $(BIN)/pytest -n $(WORKERS) --dist worksteal

test: $(VENV)/test ## run all tests but the long ones (T="-k second" hands arguments to pytest)
	@scripts/install-chromium
	@scripts/install-postgresql
	$(RUN_TESTS) -m "not wide" --hypothesis-profile=ci $(T)

test-all: $(VENV)/test $(VENV)/cluster ## run all tests, the wide ones too
	@scripts/install-chromium
	@scripts/install-postgresql
	@scripts/install-servers
	$(RUN_TESTS) $(T)

test-gpu: $(VENV)/gpu ## run the graphics card's tests: on a card that is here, else in a simulator
	$(BIN)/python scripts/test_gpu.py $(T)

cluster: $(VENV)/cluster ## run the tests on a Ray cluster: two nodes on this machine
	$(BIN)/pytest tests/lab/test_cluster.py $(T)

mutants: $(VENV)/mutants ## plant small faults in a part of the code and see which a test notices (AREA=stats)
	$(BIN)/python scripts/mutants.py $(AREA) $(T)

evenings: $(VENV)/test ## play evenings at random, in the house and in a plain model of it (N=200 SEED=7)
	$(BIN)/python tests/house/evenings.py $(if $(N),-n $(N)) $(if $(SEED),--seed $(SEED)) $(T)

lint: $(VENV)/lint ## check style, formatting, types, and the files that CI and Read the Docs read
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python scripts/count_code.py
	$(BIN)/check-jsonschema -q --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema -q --builtin-schema vendor.readthedocs .readthedocs.yaml

site: $(VENV)/docs ## make the site of the documentation, with the reference of import yegg, in build/site
	$(BIN)/sphinx-build -q -W --keep-going -d build/doctrees docs build/site

package: $(VENV)/docs ## build the wheel and the sdist, and try them in an empty environment
	$(BIN)/python scripts/try_package.py

versions: $(VENV)/versions ## use the package with the lowest versions allowed, and on each Python found here
	$(BIN)/python scripts/try_versions.py

pictures: $(VENV)/test ## take the README's pictures of the table, by day and by night
	@scripts/install-chromium
	$(BIN)/python scripts/icons.py
	$(BIN)/python scripts/pictures.py

bench: $(VENV)/bench ## measure, next to OpenSpiel on the same core
	@$(BIN)/yegg bench --peers

bench-all: $(VENV)/bench ## measure all figures of docs/performance.md, in less than half an hour
	@$(BIN)/python bench/all.py

bench-envs: $(VENV)/bench ## measure the environments for research, next to those of others, each on the same core
	@$(BIN)/python bench/envs.py --install

bench-gpu: $(VENV)/gpu ## measure the environments on the graphics card that is here, next to all processors; draw
	@$(BIN)/python bench/gpu.py

ladders: $(VENV)/bench ## measure how strong the levels are, and draw; it goes on where it stopped (T="magnate -n 40")
	@$(BIN)/python bench/ladders.py $(T)

clean: ## remove .venv and everything else that was made
	rm -rf $(VENV) .house build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
	find src tests -name __pycache__ -prune -exec rm -rf {} +

# The stamps: what each needs beside the package's own libraries.

$(VENV)/play: EXTRA :=
$(VENV)/house: EXTRA := [postgres]
$(VENV)/test: EXTRA := [test,postgres,told,browser,lab,gym,openspiel,mcp]
$(VENV)/gpu: EXTRA := [test,gym,cuda,lab]
$(VENV)/cluster: EXTRA := [test,lab,cluster]
$(VENV)/mutants: EXTRA := [test,postgres,told,lab,gym,mutants]
$(VENV)/lint: EXTRA := [lint,postgres,told,lab,gym,openspiel]
$(VENV)/docs: EXTRA := [docs,lab,told]
$(VENV)/bench: EXTRA := [bench,gym,lab,postgres]
$(VENV)/versions: EXTRA := [versions]

$(addprefix $(VENV)/,play house test gpu cluster mutants lint docs bench versions): pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing what make $(@F) needs in $(VENV) …"
	@$(PIP) install -c constraints.txt hatchling setuptools wheel # http_ece comes as source
	@$(PIP) install -c constraints.txt --no-build-isolation -e ".$(EXTRA)"
	@touch $@

$(BIN)/python:
	@for python in $(or $(PYTHON),python3 python3.13 python3.12 python3.11 python); do \
		if $$python -c "$(NEWER)" 2>/dev/null; then \
			rm -rf $(VENV); $$python -m venv $(VENV) && exit 0; \
			echo "$$python could not make $(VENV): is its venv module installed?" >&2; exit 1; \
		fi; done; \
	echo "yegg needs Python 3.11 or newer; found $$($(or $(PYTHON),python3) --version 2>/dev/null || echo none)." >&2; \
	echo "With a newer one elsewhere: make PYTHON=/path/to/python3 …" >&2; exit 1

# constraints.txt: what all extras resolve to today, on the oldest Python that we support.
constraints: PYTHON := python3.11
constraints:
	rm -rf build/fresh && $(PYTHON) -m venv build/fresh
	build/fresh/bin/python -m pip --quiet install hatchling ".[dev,cuda,cupy,text]"
	build/fresh/bin/python -m pip freeze --exclude yegg | grep == | sort -f >constraints.txt
