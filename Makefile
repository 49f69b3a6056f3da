# The one door to building, testing and measuring Gedanken; `make help` lists what is behind it.
#
# `make test` is all that is asked of a change, and all that CI runs. Its steps go from the quickest answer
# to the slowest, stop at the first failure, and each is a target of its own, so that one can be repeated
# alone: `make lint`, `make golden`. Two cores and an empty `target` suffice.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
# Cargo uses all cores by itself; steps side by side would only wait for each other's locks.
.NOTPARALLEL:

STARTED := $(shell date +%s)
HOST := $(shell rustc -vV | sed -n 's/^host: //p')
title = @printf '\n== %s\n' '$(1)'
golden = cargo test --quiet --locked --workspace --test golden
# Flags of a release, in the place where the tests have built the dependencies already.
released = CARGO_PROFILE_CHECKED_DEBUG_ASSERTIONS=false CARGO_PROFILE_CHECKED_OVERFLOW_CHECKS=false

# Property tests draw the same cases in every run of `make test`, so that a failure is the change's and not the dice's;
# `make test-long` draws new ones, and more of them.
export PROPTEST_RNG_SEED ?= 1687

# A CPU from before AVX and FMA: whoever chooses instructions by what the CPU offers gives other bits here.
OLD_CPU := qemu-x86_64 -cpu qemu64

.PHONY: help lab install test test-long bench oracle pictures fuzz fmt clean advisories \
        tools format page lint licences outside unit browser doc-test doc golden golden-old-cpu

help: ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 24

lab: ## Build everything and open the lab
	$(call title,building the lab; the first time takes some minutes)
	@tools/build-page
	@cargo build --quiet --profile lab --locked -p gedanken
	@target/lab/gedanken lab

install: ## Install the binary `gedanken`, optimized as far as the compiler can
	@tools/build-page
	@cargo install --quiet --locked --path crates/app --profile dist

test: ## Install what the tests need, then run all of them
test: tools format page lint licences outside unit browser doc-test doc golden golden-old-cpu
	@echo; echo "All tests passed, in $$(($$(date +%s) - $(STARTED))) s."

test-long: tools ## Run the tests that are too slow for every change, with all others
	$(call title,tests in their long form)
	@env -u PROPTEST_RNG_SEED PROPTEST_CASES=4096 cargo nextest run --workspace --locked --cargo-profile checked
	$(call title,the page in a browser: long walks)
	@LONG=1 tools/test-page
	@echo; echo "All long tests passed, in $$(($$(date +%s) - $(STARTED))) s."

bench: ## Measure Gedanken beside its peers
	@$(MAKE) -C benches

oracle: ## Make the stored answers of MuJoCo anew (needs Python and the network)
	@python3 -m venv tools/oracle/.venv
	@tools/oracle/.venv/bin/pip install --quiet --requirement tools/oracle/requirements.txt
	@tools/oracle/.venv/bin/python tools/oracle/answers.py
	@cd crates/multibody/tests/oracle && for kind in shapes scenes; do \
	    ../../../../tools/oracle/.venv/bin/python contacts.py $$kind .; \
	done

pictures: ## Make the pictures of the README and of the book anew, from the page as it is
	@tools/build-page
	@cargo build --quiet --profile checked --locked -p gedanken
	@PICTURES=1 tools/test-page pictures

fuzz: ## Throw bytes at every reader, a minute each (needs nightly Rust and cargo-fuzz)
	@for target in fuzz/fuzz_targets/*.rs; do \
	    reader=$$(basename $$target .rs); found=fuzz/target/corpus/$$reader; mkdir -p $$found; \
	    cargo +nightly fuzz run --fuzz-dir fuzz $$reader $$found fuzz/corpus/$$reader -- -max_total_time=60; \
	done

fmt: ## Format the sources
	@cargo fmt --all

clean: ## Remove everything built
	@rm -rf target benches/target fuzz/target tools/oracle/.venv web/node_modules web/dist web/.tests

advisories: tools ## Look for known security problems in dependencies (needs the network)
	@cargo deny --locked check advisories

# The steps of `make test`.

tools: ## (step) Install what the tests need
	@tools/install-test-tools

format: ## (step) Formatting
	$(call title,formatting)
	@cargo fmt --all --check

page: ## (step) The page, which the binary takes in
	$(call title,building the page)
	@tools/build-page

lint: ## (step) Lints, warnings are errors
	$(call title,lints)
	@cargo clippy --quiet --workspace --all-targets --locked -- -D warnings

licences: ## (step) Licences and origins of all dependencies
	$(call title,dependencies: licences and origins)
	@cargo deny --locked check --hide-inclusion-graph bans licenses sources

outside: ## (step) Benches and fuzz targets compile, so that they cannot rot
	$(call title,benches and fuzz targets)
	@cargo check --quiet --locked --manifest-path benches/Cargo.toml --target-dir target
	@cargo check --quiet --locked --manifest-path fuzz/Cargo.toml --target-dir target

unit: ## (step) Unit, property and repository tests, with every assertion of ours on
	$(call title,tests)
	@cargo nextest run --workspace --locked --cargo-profile checked

browser: ## (step) The page in a real browser
	$(call title,the page in a browser)
	@tools/test-page

doc-test: ## (step) Examples in the documentation
	$(call title,examples in the documentation)
	@cargo test --quiet --workspace --doc --locked --profile checked

doc: ## (step) Documentation, broken links are errors
	$(call title,documentation)
	@RUSTDOCFLAGS=-Dwarnings cargo doc --quiet --workspace --no-deps --locked

golden: ## (step) Results bit for bit, unoptimized and with the flags of a release
	$(call title,goldens: unoptimized)
	@$(golden)
	$(call title,goldens: optimized)
	@$(released) $(golden) --profile checked

golden-old-cpu: ## (step) Results bit for bit, on a CPU without AVX and FMA
	$(call title,goldens: optimized on a CPU without AVX and FMA)
ifeq ($(HOST),x86_64-unknown-linux-gnu)
	@CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER='$(OLD_CPU)' $(released) $(golden) --profile checked
else
	@echo "left out: it needs x86_64-unknown-linux-gnu, and this is $(HOST)"
endif
