# Everything runs from a bare clone: each target first makes .venv, or adds to it what is missing.
.DEFAULT_GOAL := help
.NOTPARALLEL:
# Otherwise every program that a test starts would compile the packages again.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: help demo docs parity pictures workbooks regenerate release trial test check proof oldest fresh lint bench libreoffice chromium fonts validator javascript gnumeric witness spark databases lock package venv clean

EXAMPLE := examples/rivertown-open.trf
BOOK := build/$(notdir $(basename $(EXAMPLE))).xlsx
BIN := .venv/bin
USERS := requirements.txt
DEV := requirements-dev.txt
COMPILE := $(BIN)/uv pip compile --universal --fork-strategy fewest --python-version 3.11 \
    --generate-hashes --no-emit-index-url --no-header --quiet
TESTS = export ELO_XL_SOFFICE="$$(scripts/libreoffice.sh --find)" && \
    $(BIN)/python -m tests.support.libreoffice_host && $(BIN)/python -m pytest -q
# The tests of a room or of one part of it: its doctests, its folder, and the files with its name.
PART_TESTS = $(if $(PART),$(wildcard elo_xl/$(PART) elo_xl/$(PART).py tests/$(PART) \
    tests/*/test_*$(notdir $(PART))*.py))

help: ## this list
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 20

demo: package ## rate the example event, write its workbook, open it where there is a screen
	@mkdir -p build
	@$(BIN)/elo-xl rate $(EXAMPLE) -o $(BOOK) --force
	@scripts/show.sh $(BOOK)

docs: venv ## write the generated parts of docs/, build the site with Excel's add-in into build/site
	@$(BIN)/python -m docs_build
	@$(BIN)/python -m sphinx -q -W --keep-going -d build/doctrees docs build/site
	@site=$$($(BIN)/python -c 'from elo_xl.addresses import *; print(f"--address={SITE}office" * PUBLISHED)') && \
	    $(BIN)/elo-xl addin office -o build/site/office $$site --json >build/office.json
	@mkdir -p build/site/live && for code in $$($(BIN)/python -c 'from elo_xl.languages import CODES; print(*CODES)'); do \
	    $(BIN)/elo-xl publish --live --lang $$code --force -o build/site/live/$$code.html --json >build/live.json; done
	@$(MAKE) --no-print-directory build/site/elo-xl.html
	@echo "Site: build/site/index.html; the front page: build/site/elo-xl.html"

# All books in all languages take minutes, so it is made again only if something of them has changed.
build/site/elo-xl.html: scripts/front_page.py $(shell find elo_xl -type f -not -name '*.pyc')
	@echo "Packing all workbooks into the front page: this takes some minutes"
	@$(BIN)/python scripts/front_page.py build/elo-xl.html $@

pictures: venv libreoffice chromium fonts ## redraw all pictures of the workbooks and the page in the docs
	@ELO_XL_SOFFICE="$$(scripts/libreoffice.sh --find)" $(BIN)/python -m docs_build.pictures

workbooks: package ## write the ready-made workbooks again, and those of all languages and flavours into dist/workbooks
	@$(BIN)/python scripts/workbooks.py --all
	@$(BIN)/python scripts/front_page.py --small workbooks/elo-xl.html
	@$(BIN)/elo-xl publish --live --force -o workbooks/league-on-a-form.html

# What each change rewrites; books and pictures would make every clone larger, so they wait for a release.
regenerate: venv libreoffice chromium fonts ## rewrite what is made: add-in, translations, pages, README, snapshots, parity; make missing workbooks and pictures
	@$(BIN)/python -m excel_build
	@$(BIN)/python -m docs_build
	@ELO_XL_SNAPSHOTS=write $(BIN)/python -m pytest -q -n0 -m snapshot
	@$(BIN)/python scripts/workbooks.py --missing
	@$(MAKE) --no-print-directory parity
	@ELO_XL_SOFFICE="$$(scripts/libreoffice.sh --find)" $(BIN)/python -m docs_build.pictures --missing

release: package ## make the files of a release into dist/release: make release TAG=v0.2.0
	@$(BIN)/python -m scripts.release build $(TAG) dist/release $(SIGNED)
	@$(BIN)/python -m scripts.release sums dist/release

trial: package ## write dist/elo-xl-trial.zip: fifteen minutes for a person with Excel and nothing else
	@$(BIN)/python -m scripts.trial dist/elo-xl-trial.zip

check: venv lint ## style, types, import rules, quick tests without LibreOffice; of one room: PART=questions
	@ELO_XL_LEVEL=check $(BIN)/python -m pytest -q $(PART_TESTS)

test: venv libreoffice chromium validator javascript lint ## all checks: LibreOffice, lint, types, layers, tests
	@$(TESTS) --durations=20

proof: venv libreoffice chromium validator javascript gnumeric witness spark databases lint ## before a release: the tests in all sizes, seeds, languages and flavours
	@ELO_XL_LEVEL=proof && export ELO_XL_LEVEL && $(TESTS) --durations=20
	@scripts/lower_bounds.sh
	@echo "Not tried here: bare Debian 12 and 13, and the wheel as a stranger installs it: make fresh"

oldest: venv ## the quick tests with the oldest packages that are allowed, extras included
	@scripts/lower_bounds.sh

fresh: package ## demo and test on a bare Debian 12 and 13, and the wheel as a stranger installs it; needs root
	@rm -rf build/package && $(BIN)/python -m hatchling build --directory build/package
	@failed=0; for suite in bookworm trixie; do \
	    scripts/fresh_machine.sh --package build/package $$suite || failed=1; \
	    scripts/fresh_machine.sh $$suite || failed=1; \
	done; exit $$failed

lint: venv ## style, types and the import rules between the packages
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

bench: venv ## times compared with NumPy and the peers, as ratios
	@$(BIN)/python -m bench

libreoffice: ## find LibreOffice 25.2 or newer, or install it
	@soffice=$$(scripts/libreoffice.sh) && echo "LibreOffice: $$soffice"

chromium: ## find Chromium, which opens published pages, and axe-core, or get them
	@-program=$$(scripts/chromium.sh) && echo "Chromium: $$program"

fonts: ## find Calibri or Carlito, with which pictures are drawn, or get it
	@font=$$(scripts/fonts.sh) && echo "Font: $$font"

validator: ## find Microsoft's validator of Office files, or fetch it with npm
	@-program=$$(scripts/validator.sh) && echo "Validator: $$program"

javascript: venv ## find what tests the functions in JavaScript, or fetch it with npm
	@-packages=$$(scripts/javascript.sh) && echo "Packages for Node: $$packages"

gnumeric: ## find Gnumeric, a second spreadsheet engine, or install it
	@-program=$$(scripts/gnumeric.sh) && echo "Gnumeric: $$program"

witness: ## find bbpPairings, which pairings are compared with before a release, or compile it
	@if command -v c++ >/dev/null; then program=$$(scripts/witness.sh) && echo "Witness: $$program"; fi

spark: venv ## find Apache Spark and a Java for it, or install them
	@-java=$$(scripts/spark.sh) && echo "Spark's Java: $$java"

databases: venv ## find PostgreSQL and ClickHouse, which compute what is written as SQL, or install them
	@-program=$$(scripts/databases.sh) && echo "PostgreSQL: $$program"

parity: venv libreoffice ## run the same cells in every host, write the matrix docs/parity.md
	@ELO_XL_SOFFICE="$$(scripts/libreoffice.sh --find)" $(BIN)/python -m tests.support.parity

lock: venv ## rewrite the lock files from pyproject.toml
	@$(COMPILE) pyproject.toml --group dev --group bench --group docs --upgrade --output-file $(DEV)
	@$(COMPILE) pyproject.toml --group checkout --constraint $(DEV) --upgrade --output-file $(USERS)
	@$(COMPILE) pyproject.toml --extra excel --constraint $(DEV) --upgrade --output-file requirements-installer.txt
	@$(COMPILE) --group pyproject.toml:release --constraint $(DEV) --upgrade --output-file requirements-release.txt
	@$(COMPILE) --group pyproject.toml:spark --upgrade --output-file requirements-spark.txt
	@$(COMPILE) --group pyproject.toml:databases --upgrade --output-file requirements-databases.txt

# Two levels of one environment: what users get, and, added to it, what developers need.
package:
	@scripts/venv.sh $(USERS)

venv:
	@scripts/venv.sh $(DEV)

clean: ## remove what was built and cached, .venv too
	rm -rf .venv build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
