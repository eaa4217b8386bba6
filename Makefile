# Fairlead's everyday commands; `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PYTHON := /usr/bin/python3
JOBS ?= $(shell nproc)
BUILD := build/ci

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## install the Debian packages that are missing
	@.ci/setup

.PHONY: build
build: setup ## build programs and unit tests (preset ci)
	@mkdir -p build
	@[ -f $(BUILD)/build.ninja ] || { echo "build: configuring $(BUILD)"; cmake --preset ci >$(BUILD)-configure.log 2>&1 || { cat $(BUILD)-configure.log; exit 1; }; }
	@echo "build: compiling (the first time takes minutes, then ccache makes it seconds)"
	@cmake --build --preset ci -j $(JOBS)

.PHONY: demo
demo: build ## three emulated sites: measure, rank, degrade, detect, recover (KEEP=1 leaves it running)
	@$(PYTHON) tests/demo/demo.py --build $(BUILD)

.PHONY: demo-cluster
demo-cluster: build ## the chart on a real Kubernetes of three emulated sites: install, place a gang, degrade its line, move it, remove
	@$(PYTHON) tests/demo/demo_cluster.py --build $(BUILD)

.PHONY: check
check: build ## build and unit tests, under a minute when warm
	@$(PYTHON) tests/run.py --build $(BUILD) unit

.PHONY: test
test: build ## everything: unit, fuzz, end to end in the lab, the Helm chart, on a real Kubernetes; closes with N passed, N failed, N skipped
	@$(PYTHON) tests/run.py --build $(BUILD) unit fuzz e2e cluster helm

.PHONY: test-long
test-long: test e2e-long cluster-long sanitize ## make test, then the slow tests in the lab and on a real Kubernetes, and the unit tests under sanitizers

.PHONY: e2e-long
e2e-long: build ## the slow tests in the lab: bandwidth, counters, recordings
	@$(PYTHON) tests/run.py --build $(BUILD) e2e-long

.PHONY: cluster-long
cluster-long: build ## the slow tests on a real Kubernetes
	@$(PYTHON) tests/run.py --build $(BUILD) cluster-long

.PHONY: sanitize
sanitize: setup ## unit tests under AddressSanitizer and UBSan, those of code with threads under ThreadSanitizer, too
	@$(PYTHON) tests/run.py --build $(BUILD) sanitize

.PHONY: fuzz
fuzz: setup ## libFuzzer targets, FUZZ_SECONDS each (default 600)
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-600} $(PYTHON) tests/run.py --build $(BUILD) fuzz

.PHONY: images
images: setup ## container images of the three programs as archives in build/images, with package lists (BASE=IMAGE to build on)
	@cmake --preset release >/dev/null && cmake --build --preset release -j $(JOBS) --target fairlead-extender fairlead-linkprobe fairlead-deviceplugin
	@$(PYTHON) deploy/images/build.py --programs build/release/bin $(if $(BASE),--base $(BASE))

.PHONY: bench
bench: setup ## speed and memory against a reference in the same run
	@cmake --preset release >/dev/null && cmake --build --preset release -j $(JOBS)
	@$(PYTHON) tests/bench/run.py --build build/release

.PHONY: fmt
fmt: ## format the C++ sources in place
	@git ls-files '*.cc' '*.h' | xargs clang-format-14 -i

.PHONY: lint
lint: ## formatting and layering, nothing is changed
	@git ls-files '*.cc' '*.h' | xargs clang-format-14 --dry-run --Werror
	@$(PYTHON) tests/layering_test.py

.PHONY: clean
clean: ## remove every build tree
	@rm -rf build
