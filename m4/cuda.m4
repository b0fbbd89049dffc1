dnl HALO_CUDA: --with-cuda[=DIR], and whether nvcc and the host compiler work together.
dnl
dnl The one test compiles a kernel with nvcc and links it with $CC, as the build does: an nvcc that
dnl refuses the host compiler, or a toolkit without its static runtime, is found out here.  Only
dnl an explicit --with-cuda may fail configure.  Sets NVCC, CUDA_LIBS, cuda_summary (for the end of
dnl configure), the conditional HAVE_CUDA and the macro of that name.
AC_DEFUN([HALO_CUDA], [
AC_ARG_WITH([cuda],
  [AS_HELP_STRING([--with-cuda@<:@=DIR@:>@],
                  [build the CUDA paths with the toolkit in DIR, or the one on the PATH or in
                   /usr/local/cuda @<:@check@:>@])],
  [], [with_cuda=check])
AC_ARG_VAR([NVCC], [CUDA compiler])
AC_ARG_VAR([NVCCFLAGS], [flags for the CUDA compiler, -O3 unless set])
AC_ARG_VAR([NVCC_GENCODE], [GPU architectures to compile for, -arch=all-major unless set])
AC_ARG_VAR([CUDA_LIBS], [libraries to link with objects of the CUDA compiler])

have_cuda=no
cuda_summary="not wanted"
AS_IF([test "x$with_cuda" != xno], [
  cuda_dir=
  AS_CASE([$with_cuda],
    [yes|check], [cuda_path=$PATH:/usr/local/cuda/bin],
    [cuda_dir=$with_cuda
     cuda_path=$with_cuda/bin])
  AC_PATH_PROG([NVCC], [nvcc], [], [$cuda_path])
  AS_IF([test "x$NVCC" = x],
    [cuda_summary="missing, no nvcc in $cuda_path (NVIDIA's CUDA Toolkit 12.4 or later)"],
    [test -z "$cuda_dir" && cuda_dir=`AS_DIRNAME(["$NVCC"])`/..
     test -z "${NVCCFLAGS+set}" && NVCCFLAGS=-O3
     test -z "${NVCC_GENCODE+set}" && NVCC_GENCODE=-arch=all-major
     AS_IF([test -z "${CUDA_LIBS+set}"],
       [CUDA_LIBS=
        for halo_dir in "$cuda_dir/lib64" "$cuda_dir/lib" "$cuda_dir/targets/x86_64-linux/lib"; do
          AS_IF([test -f "$halo_dir/libcudart_static.a"],
                [CUDA_LIBS="-L`cd "$halo_dir" && pwd` "
                 break])
        done
        dnl As needed: while no object calls CUDA, the program depends on none of them.
        CUDA_LIBS="$CUDA_LIBS-Wl,--as-needed -lcudart_static -lstdc++ -ldl -lrt -lpthread"])
     _HALO_CUDA_TEST
     have_cuda=$halo_cv_cuda
     AS_IF([test "x$have_cuda" = xyes],
       [cuda_summary="$NVCC $NVCC_GENCODE"],
       [cuda_summary="$NVCC does not work with $CC: see config.log"])])
  AS_IF([test "x$have_cuda" = xno && test "x$with_cuda" != xcheck],
        [AC_MSG_ERROR([CUDA was asked for. $cuda_summary])])])

AS_IF([test "x$have_cuda" = xyes],
      [AC_DEFINE([HAVE_CUDA], [1], [Define to 1 where the CUDA paths are built.])
       cuda_version=`$NVCC --version | sed -n 's/.*, release \([[0-9.]]*\),.*/\1/p'`
       AC_DEFINE_UNQUOTED([CUDA_TOOLKIT_VERSION], ["${cuda_version:-found}"],
                          [The version of the CUDA Toolkit.])],
      [CUDA_LIBS=])
AM_CONDITIONAL([HAVE_CUDA], [test "x$have_cuda" = xyes])
])

dnl The test itself; for one architecture only, since all of them take half a minute.
AC_DEFUN([_HALO_CUDA_TEST], [
AC_CACHE_CHECK([whether $NVCC compiles what $CC links], [halo_cv_cuda], [
  halo_cv_cuda=no
  cat >conftest.cu <<'EOF'
__global__ void one(int *p) { *p = 1; }
extern "C" int try_cuda(void)
{
  int *p = 0, count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || cudaMalloc(&p, sizeof *p) != cudaSuccess)
    return 1;
  one<<<1, 1>>>(p);
  return cudaFree(p) != cudaSuccess;
}
EOF
  cat >conftest.c <<'EOF'
int try_cuda(void);
int main(void) { return try_cuda(); }
EOF
  AS_IF([AC_RUN_LOG([$NVCC $NVCCFLAGS -std=c++17 -c conftest.cu -o conftestcu.o >&2]) &&
         AC_RUN_LOG([$CC $CPPFLAGS $CFLAGS $LDFLAGS -o conftest$EXEEXT conftest.c conftestcu.o dnl
$CUDA_LIBS $LIBS >&2])],
        [halo_cv_cuda=yes])
  rm -f conftest.cu conftest.c conftestcu.o conftest$EXEEXT])
])
