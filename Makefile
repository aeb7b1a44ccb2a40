# Two commands do all set-up on a machine with Python 3.11 or newer and make:
#
#     make run ROOT=path/to/any/repository
#     make test

VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
PYTEST ?= $(BIN)/python -I -m pytest
# In so many processes, the tests of a file in one of them, since they share what it sets up; 0 for no other process.
TEST_PROCESSES ?= 2

# The first interpreter on the path that is new enough; name another with PYTHON=.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11 python; do \
	"$$name" -c '$(NEW_ENOUGH)' 2>/dev/null && echo "$$name" && break; done)

# The folder of the corpus that is measured; its packages are fetched once.
CORPUS ?= build/corpus

# Programs that tests compare with or look through, and the Debian package of each.
SYSTEM_PACKAGES := git:git ctags:universal-ctags chromium:chromium npm:npm

# What the tests in real editors need besides: a program or file, and its package.
EDITOR_PACKAGES := tmux:tmux emacs:emacs-nox /usr/share/doc/elpa-eglot:elpa-eglot \
	/usr/share/doc/elpa-lsp-mode:elpa-lsp-mode
# What code-server is built with.
EDITOR_PACKAGES += g++:g++ pkg-config:pkg-config /usr/include/krb5.h:libkrb5-dev \
	/usr/include/libsecret-1:libsecret-1-dev /usr/include/X11/extensions/XKBfile.h:libxkbfile-dev

# Helix from the first Debian that has it, without a chroot: beside its own C library.
HELIX := build/helix

# The official inspector of MCP servers, which has a test of its own, and its node, as its lock file pins them.
INSPECTOR := tests/mcp/inspector

# The VS Code extension, and what makes a package of it.
VSCODE := editors/vscode
VSCODE_NODE := $(VSCODE)/node_modules/node/bin/node
# A real workbench of VS Code, for a browser, and the node that it is built with.
WORKBENCH := tests/editors/vscode
NPM_CI := npm ci --no-audit --no-fund --loglevel=error --prefix

.DEFAULT_GOAL := help
.PHONY: help run install dev system editor-system inspector vscode vsix workbench helix test test-editors lint docs bench clean

help:
	@echo 'make run ROOT=FOLDER   install, index the repository in FOLDER and tell how to attach an editor'
	@echo 'make test              install all that the tests need and run them (SYSTEM=1: system packages too)'
	@echo 'make test-editors      the tests in VS Code, Helix and Emacs, as far as these can be had here'
	@echo 'make vsix              the VS Code extension as one file'
	@echo 'make lint              ruff and mypy'
	@echo 'make docs              write the reference pages from the declarations'
	@echo 'make bench             measure; see tests/bench'
	@echo 'make clean             remove the environment and the caches'

run: install
	@test -n "$(ROOT)" || { echo 'Name a repository: make run ROOT=path/to/it' >&2; exit 2; }
	@$(BIN)/pilotfish index --root "$(ROOT)"
	@echo
	@$(BIN)/pilotfish status --root "$(ROOT)"
	@echo
	@echo 'Attach an editor: its command is $(abspath $(BIN))/pilotfish serve'
	@echo 'For Neovim 0.11 or newer, in init.lua:'
	@echo "    vim.opt.runtimepath:append('$(CURDIR)/editors/neovim')"
	@echo "    vim.lsp.config('pilotfish', { cmd = { '$(abspath $(BIN))/pilotfish', 'serve' } })"
	@echo 'VS Code, Helix and others: README.md.'
	@echo
	@echo 'Attach an agent: its command is $(abspath $(BIN))/pilotfish mcp'
	@echo 'For Claude Code, in the folder that it works in:'
	@echo '    claude mcp add pilotfish -- $(abspath $(BIN))/pilotfish mcp'
	@echo 'Others: $(BIN)/pilotfish mcp --print-config NAME; see docs/agents.md.'

install: $(VENV)/.installed
dev: $(VENV)/.dev

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo 'Python 3.11 or newer is needed; name it with PYTHON=path/to/python' >&2; exit 2; }
	@"$(PYTHON)" -c '$(NEW_ENOUGH)' || { echo '$(PYTHON) is older than Python 3.11' >&2; exit 2; }
	@echo 'Making $(VENV) …'
	@"$(PYTHON)" -m venv "$(VENV)" || { echo 'Python has no venv module here; Debian has it in python3-venv' >&2; exit 2; }

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo 'Installing into $(VENV) …'
	@$(PIP) --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo 'Installing into $(VENV) what the tests need …'
	@$(PIP) --editable '.[dev]'
	@touch $@ $(VENV)/.installed

# Installs missing system packages as root in CI, or with SYSTEM=1 (then by sudo); else names what will be skipped.
define system-packages
@missing=; for pair in $(1); do \
	command -v "$${pair%%:*}" >/dev/null || test -e "$${pair%%:*}" || missing="$$missing $${pair##*:}"; done; \
test -n "$$missing" || exit 0; \
if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && [ -n "$(CI)$(SYSTEM)" ]; then as=env; \
elif command -v apt-get >/dev/null && command -v sudo >/dev/null && [ "$(SYSTEM)" = 1 ]; then as=sudo; \
else as=; fi; \
if [ -n "$$as" ] && $$as apt-get update -qq && \
	$$as env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$missing; then exit 0; fi; \
echo "Not installed:$$missing. The tests that need them are skipped; SYSTEM=1 installs them."
endef

system:
	$(call system-packages,$(SYSTEM_PACKAGES))

editor-system: system
	$(call system-packages,$(EDITOR_PACKAGES))

inspector: $(INSPECTOR)/node_modules/.installed

$(INSPECTOR)/node_modules/.installed: $(INSPECTOR)/package-lock.json | system
	@if command -v npm >/dev/null; then \
		echo 'Installing into $(INSPECTOR) the inspector of MCP servers …' && \
		$(NPM_CI) $(INSPECTOR) && touch $@; \
	fi

vscode: $(VSCODE)/node_modules/.installed

$(VSCODE)/node_modules/.installed: $(VSCODE)/package-lock.json | system
	@if command -v npm >/dev/null; then \
		echo 'Installing into $(VSCODE) what the extension is made of …' && \
		$(NPM_CI) $(VSCODE) && touch $@; \
	fi

$(VSCODE)/packaging/node_modules/.installed: $(VSCODE)/packaging/package-lock.json
	@$(NPM_CI) $(VSCODE)/packaging && touch $@

# The extension carries the server as a wheel, with the versions of what it depends on.
vsix: vscode $(VSCODE)/packaging/node_modules/.installed | $(BIN)/python
	@rm -rf $(VSCODE)/server $(VSCODE)/pilotfish.vsix && mkdir $(VSCODE)/server
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir $(VSCODE)/server .
	@cp constraints.txt $(VSCODE)/server/
	@cp LICENSE $(VSCODE)/
	@cd $(VSCODE) && $(abspath $(VSCODE_NODE)) build.mjs && \
		$(abspath $(VSCODE_NODE)) packaging/node_modules/@vscode/vsce/vsce package \
			--no-dependencies --allow-missing-repository --out pilotfish.vsix

workbench: $(WORKBENCH)/node_modules/.installed

$(WORKBENCH)/node_modules/.installed: $(WORKBENCH)/package-lock.json $(WORKBENCH)/node24/package-lock.json | system editor-system
	@echo 'Building a workbench of VS Code in $(WORKBENCH); this takes some minutes …'
	@$(NPM_CI) $(WORKBENCH)/node24 && \
		PATH="$(abspath $(WORKBENCH))/node24/node_modules/node/bin:$$PATH" npm_config_dangerously_allow_all_scripts=true \
		$(NPM_CI) $(WORKBENCH) && touch $@ || \
		echo 'code-server cannot be built here. The tests that need it are skipped.'

helix: $(HELIX)/hx

$(HELIX)/hx: tests/editors/fetch_helix.sh
	@sh tests/editors/fetch_helix.sh $(HELIX)

test: dev system inspector vscode
	$(PYTEST) --numprocesses $(TEST_PROCESSES) --dist loadfile

# What eglot runs two servers behind.
$(VENV)/.multiplexer: | $(VENV)/.dev
	@$(PIP) rassumfrassum==0.3.5
	@touch $@

test-editors: dev editor-system workbench helix $(VENV)/.multiplexer
	@$(MAKE) --no-print-directory vsix || \
		echo 'The VS Code extension cannot be packaged here. The tests that need it are skipped.'
	$(PYTEST) -m editors_e2e tests/editors

lint: dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: install
	$(BIN)/python -I -m pilotfish.reference docs
	$(BIN)/python -I -m pilotfish.reference_vscode $(VSCODE)

bench: dev
	$(BIN)/python -m tests.bench $(if $(CORPUS),--corpus $(CORPUS))

clean:
	rm -rf $(VENV) $(INSPECTOR)/node_modules $(VSCODE)/node_modules $(VSCODE)/packaging/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
