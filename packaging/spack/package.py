# Tessera for Spack. The project publishes no archives yet, so the sources come from a clone or from `make dist`:
#
#   spack repo create ~/tessera-repo tessera_repo && spack repo add ~/tessera-repo
#   mkdir ~/tessera-repo/packages/tessera && cp packaging/spack/package.py ~/tessera-repo/packages/tessera
#   spack dev-build tessera@0.2.0 ^mpich        # in the folder of the sources
from spack.package import *


class Tessera(CMakePackage):
    """A partitioned-global-address-space runtime in C, on shared memory and MPI, with the interfaces DART, ARMCI, GASNet-EX and
    OpenSHMEM."""

    homepage = "https://tessera.invalid"  # none yet

    license("BSD-3-Clause")

    version("0.2.0")

    variant("ucx", default=True, description="Build the wire over UCX")
    variant("dw", default=True, description="Name lines of the program in errors")
    variant("hwloc", default=True, description="Read the topology with hwloc")
    variant("lto", default=True, description="Optimise each shared library as a whole")
    variant("static", default=True, description="Build the static libraries, too")
    variant("docs", default=False, description="Install the guides and the reference as HTML")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.9:", type=("build", "run"))  # for the manual pages, and tessera-plot
    depends_on("doxygen", type="build", when="+docs")
    depends_on("mpi")
    depends_on("elfutils", when="+dw")
    depends_on("hwloc", when="+hwloc")
    depends_on("ucx@1.12:1", when="+ucx")
    depends_on("zlib-api")  # for tessera-trace

    generator("ninja")

    conflicts("platform=darwin", msg="Tessera needs Linux")
    conflicts("platform=windows", msg="Tessera needs Linux")
    conflicts("^mpich@:3", msg="Tessera needs MPICH 4.0 or later")
    conflicts("^openmpi@:4.0", msg="Tessera needs Open MPI 4.1 or later")

    def cmake_args(self):
        return [
            self.define("CMAKE_BUILD_TYPE", "Release"),
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
            self.define("BUILD_TESTING", False),
            self.define("TESSERA_EXAMPLES", False),
            self.define("TESSERA_BENCH", False),
            self.define_from_variant("TESSERA_UCX", "ucx"),
            self.define_from_variant("TESSERA_DW", "dw"),
            self.define_from_variant("TESSERA_HWLOC", "hwloc"),
            self.define_from_variant("TESSERA_LTO", "lto"),
            self.define_from_variant("TESSERA_STATIC", "static"),
        ]

    @run_after("install", when="+docs")
    def install_docs(self):
        with working_dir(self.stage.source_path):
            Executable("scripts/make-site")(self.build_directory + "/docs")
        install_tree(self.build_directory + "/docs/html", self.prefix.share.doc.tessera.html)

    # UCX is opened when a program starts.
    def setup_run_environment(self, env):
        if self.spec.satisfies("+ucx"):
            env.set("TESSERA_UCX_LIBRARY", self.spec["ucx"].prefix.lib + "/libucp.so.0")

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin + "/tessera-info")("--check")
