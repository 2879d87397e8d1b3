# make [MPI=mpich|openmpi] [CC=clang] TARGET
#
#   all       build                          run       heat3d on 4 units, results in heat3d-out/
#   check     build and run every test       soak      the tests that run for minutes
#   sanitize  the tests under ASan+UBSan     bench     this library against others
#             and under TSan                 install   PREFIX=/usr/local DESTDIR=
#   clean     remove what was built
#
# The work is done by CMake: see CMakePresets.json. What is built lies in build/MPI-PRESET.
MPI ?= mpich
PREFIX ?= /usr/local

ifeq ($(filter mpich openmpi,$(MPI)),)
$(error MPI is '$(MPI)': give mpich or openmpi)
endif

preset = $(if $(filter openmpi,$(MPI)),openmpi-)$(1)
# A compiler that the caller names has build directories of its own.
ifneq ($(origin CC),default)
suffix = -$(notdir $(lastword $(CC)))
export CC
endif
build_dir = build/$(MPI)-$(1)$(suffix)
release = $(call build_dir,release)

# $(call configure_and_build,release)
define configure_and_build
cmake --preset $(call preset,$(1)) -B $(call build_dir,$(1)) >/dev/null
cmake --build $(call build_dir,$(1))
endef
# What failed tests said is told once more below the summary, where a reader of a long log looks.
ctest = rm -f $(1)/Testing/Temporary/LastTestsFailed.log; ctest --test-dir $(1) --output-on-failure --no-tests=error -j 8 $(2) || { scripts/said-by-failed $(1); exit 1; }

.PHONY: all deps run check soak sanitize bench install clean

all:
	$(call configure_and_build,release)

deps:
	scripts/deps

run: deps
	$(call configure_and_build,release)
	$(release)/mpirun -n 4 $(release)/examples/heat3d/heat3d --output heat3d-out \
	  examples/heat3d/input/copper.heat

check: deps
	$(call configure_and_build,release)
	$(call ctest,$(release),--label-exclude soak --output-log $(release)/check.log)

soak: deps
	$(call configure_and_build,release)
	$(call ctest,$(release),--label-regex soak)

sanitize: deps
	$(call configure_and_build,asan)
	$(call configure_and_build,tsan)
	$(call ctest,$(call build_dir,asan),--label-regex 'unit|spmd')
	$(call ctest,$(call build_dir,tsan),--label-regex 'unit|spmd')

bench: deps
	$(call configure_and_build,release)
	bench/compare --build $(release)

install:
	$(call configure_and_build,release)
	DESTDIR='$(DESTDIR)' cmake --install $(release) --prefix '$(PREFIX)'

clean:
	rm -rf build heat3d-out
