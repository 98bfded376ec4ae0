# The commands a person types. `make test` is what CI runs.
JOBS ?= $(shell nproc)
PRESET ?= release
# Python (3.8 or newer) that the tests' virtual environment is made from; empty: the system's.
PYTHON ?=
# Further arguments for ctest, for example CTEST_ARGS='-L golden' or CTEST_ARGS='-R ^syntax/'.
CTEST_ARGS ?=
# Where `make install` puts suture.
PREFIX ?= /usr/local
# One version, since each lays out code its own way.
CLANG_FORMAT ?= clang-format-14

BUILD := build/$(PRESET)
# In tests/ only tests/<name>/ holds our sources; folders below are data, whose bytes matter.
SOURCES = $(shell find repair client server tests \( -path 'tests/*/*/*' -prune \) -o \
            \( -name '*.h' -o -name '*.cc' \) -print 2>/dev/null)

.PHONY: build setup configure test demo format format-check tidy install clean distclean
.DEFAULT_GOAL := build

setup:
	@PYTHON='$(PYTHON)' deploy/setup.sh

configure: setup
	@cmake --preset $(PRESET) $(if $(wildcard $(BUILD)/build.ninja),>/dev/null)

build: configure
	@cmake --build $(BUILD) -j $(JOBS)

# format-check is one of the tests.
test: build
	@deploy/run_tests.sh $(BUILD) -j $(JOBS) $(CTEST_ARGS)

demo: build
	@deploy/demo.sh

format:
	@$(if $(SOURCES),$(CLANG_FORMAT) -i $(SOURCES))

format-check:
	@$(if $(SOURCES),$(CLANG_FORMAT) --dry-run -Werror $(SOURCES))

tidy:
	@$(MAKE) --no-print-directory build PRESET=tidy

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf $(BUILD)

# Also what setup fetched.
distclean:
	rm -rf build
