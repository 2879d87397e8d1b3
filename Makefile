# make [MPI=mpich|openmpi] [CC=clang] TARGET
#
#   all       build the libraries and tools    run        heat3d on 4 units, results in heat3d-out/
#   install   PREFIX=/usr/local DESTDIR=       uninstall  the same; removes what was installed there
#   check     build and run every test         soak       the tests that run for minutes
#   sanitize  the tests under ASan+UBSan       bench      this library against others
#             and under TSan                   clean      remove what was built
#             SANITIZE_LABELS='unit|spmd'
#   docs      the documentation site in        deps       install what all of this needs
#             build/docs/html                  help       this text
#   dist      the committed sources as         deb        Debian packages of them for both MPIs,
#             DIST/tessera-VERSION.tar.gz                 in build/debian
#   abi       compare the libraries' binary interface with the last release's
#   study     run a published study again, with both MPIs: NAME=pgas; STUDY_ARGS=--quick to try it (bench/studies/README.md)
#
# SANITIZE_LABELS is an expression for the labels of the tests that `make sanitize` runs: with 'unit|spmd|nodes|fault' it also runs the
# scripts that start several jobs; ctest --print-labels lists all labels.
# CMake does the work: see CMakePresets.json. Each preset builds in build/MPI-PRESET. CMAKE_ARGS is passed to CMake's configuration.
MPI ?= mpich
PREFIX ?= /usr/local
DIST ?= dist
REPORT ?= docs/results/studies.md
SANITIZE_LABELS ?= unit|spmd
CMAKE_ARGS ?=

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

# Without the folders of an installed Tessera, whose libraries would run in place of those that are built here.
ifneq ($(LD_LIBRARY_PATH),)
export LD_LIBRARY_PATH := $(shell printf '%s\n' "$$LD_LIBRARY_PATH" | tr : '\n' | \
  while read -r folder; do set -- "$$folder"/libtessera.so*; [ -e "$$1" ] || echo "$$folder"; done | paste -sd :)
endif

# CMake takes these from the environment.
ifneq ($(shell command -v ccache),)
export CMAKE_C_COMPILER_LAUNCHER ?= ccache
export CMAKE_CXX_COMPILER_LAUNCHER ?= ccache
# Objects of one MPI's build serve the other's: their debugging information names no file by the build directory.
export CCACHE_NOHASHDIR ?= 1
endif

# $(call configure,release,OPTIONS)
configure = cmake --preset $(call preset,$(1)) -B $(call build_dir,$(1)) $(2) $(CMAKE_ARGS) >/dev/null
# The libraries and what stands on them, without tests and peers, unless these were asked for before: $(call build_some,TARGETS)
without_tests = $(if $(wildcard $(release)/build.ninja),,-DBUILD_TESTING=OFF -DTESSERA_BENCH=OFF)
define build_some
$(call configure,release,$(without_tests))
cmake --build $(release) --target $(1)
endef
# $(call build_all,release)
define build_all
$(call configure,$(1),-DBUILD_TESTING=ON -DTESSERA_BENCH=ON)
cmake --build $(call build_dir,$(1))
endef
# What failed tests said is told once more below the summary, where a reader of a long log looks.
ctest = rm -f $(1)/Testing/Temporary/LastTestsFailed.log; ctest --test-dir $(1) --output-on-failure --no-tests=error -j $(check_jobs) $(2) || { scripts/said-by-failed $(1); exit 1; }

.PHONY: all deps run check soak sanitize bench study study-programs docs dist deb abi install uninstall clean help

all:
	$(call build_some,installed)

deps:
	scripts/deps

docs:
	scripts/deps docs
	scripts/make-site build/docs

run:
	scripts/deps run $(MPI)
	$(call build_some,example-heat3d)
	$(release)/mpirun -n 4 $(release)/examples/heat3d/heat3d --output heat3d-out \
	  examples/heat3d/input/copper.heat

# Slots that the tests share (tests/CMakeLists.txt): Open MPI's launcher sleeps most of the time that a short job takes.
check_jobs = $(if $(filter openmpi,$(MPI)),12,8)

# Together the two MPIs' builds have the library shared and static. `make soak` and `make run` have it with link-time optimisation.
check: deps
	$(call build_all,check)
	$(call ctest,$(call build_dir,check),--label-exclude soak --output-log $(call build_dir,check)/check.log)

soak:
	scripts/deps soak
	$(call build_all,release)
	cmake --build $(release) --target soak-programs peers
	$(call ctest,$(release),--label-regex soak)

sanitize: deps
	$(call build_all,asan)
	$(call build_all,tsan)
	failed=0; \
	($(call ctest,$(call build_dir,asan),--label-regex '$(SANITIZE_LABELS)')) || failed=1; \
	($(call ctest,$(call build_dir,tsan),--label-regex '$(SANITIZE_LABELS)')) || failed=1; \
	exit $$failed

bench: deps
	$(call build_all,release)
	cmake --build $(release) --target peers
	bench/compare --build $(release)

# Both MPIs' programs of a study and their peers, then the study. It writes its part of the report anew.
study:
	@[ -e 'bench/studies/$(NAME)/study.py' ] || { echo "make study: NAME is '$(NAME)': give one of $(studies)" >&2; exit 1; }
	scripts/deps soak
	$(MAKE) study-programs MPI=mpich
	$(MAKE) study-programs MPI=openmpi
	bench/study $(NAME) --build $(foreach mpi,mpich openmpi,build/$(mpi)-release$(suffix)) --report $(REPORT) $(STUDY_ARGS)

studies = $(patsubst bench/studies/%/study.py,%,$(wildcard bench/studies/*/study.py))

study-programs:
	$(call configure,release,$(if $(wildcard $(release)/build.ninja),,-DBUILD_TESTING=OFF) -DTESSERA_BENCH=ON)
	cmake --build $(release) --target installed example-heat3d example-spmv-armci example-stencil2d peers

# The same bytes each time: names, contents and times come from the commit. debian/ is left out (.gitattributes), as Debian wants it of
# the sources that it packages.
version = $(shell sed -n 's/.*define TESSERA_VERSION_STRING "\(.*\)".*/\1/p' include/tessera.h)
dist:
	@git diff --quiet HEAD || echo "make dist: what is not committed is left out"
	@mkdir -p '$(DIST)'
	git archive -9 --format=tar.gz --prefix=tessera-$(version)/ -o '$(DIST)/tessera-$(version).tar.gz' HEAD

deb:
	rm -rf build/debian
	$(MAKE) dist DIST=build/debian
	tar -C build/debian -xzf build/debian/tessera-$(version).tar.gz
	mv build/debian/tessera-$(version).tar.gz build/debian/tessera_$(version).orig.tar.gz
	git archive --prefix=tessera-$(version)/debian/ HEAD:debian | tar -C build/debian -x
	cd build/debian/tessera-$(version) && dpkg-buildpackage -us -uc

abi:
	scripts/deps soak
	$(call configure,debug)
	cmake --build $(call build_dir,debug) --target installed
	scripts/check-abi $(call build_dir,debug)

# Builds of a package, or with an MPI of their own, choose their packages themselves.
install:
	@[ -n '$(DESTDIR)$(CMAKE_ARGS)' ] || scripts/deps run $(MPI) || echo "make install: goes on without what is missing"
	$(call build_some,installed)
	DESTDIR='$(DESTDIR)' cmake --install $(release) --prefix '$(PREFIX)'

uninstall:
	cmake -DROOT='$(DESTDIR)$(PREFIX)' -P cmake/uninstall.cmake

clean:
	rm -rf build dist heat3d-out

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile
