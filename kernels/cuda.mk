# How a .cu file becomes an object.  Included by Makefile.am where nvcc was found.
#
# Per-target flags never reach .cu files: what they need stands in AM_CPPFLAGS and AM_NVCCFLAGS.
# -fmad=false is nvcc's -ffp-contract=off: a multiply-add is one where the source says fmaf.

AM_NVCCFLAGS = -std=c++17 -fmad=false $(source_folders:%=-I$(top_srcdir)/%) \
	-Xcompiler=-Wall,-Wextra,-ffp-contract=off

AM_V_NVCC = $(am__v_NVCC_@AM_V@)
am__v_NVCC_ = $(am__v_NVCC_@AM_DEFAULT_V@)
am__v_NVCC_0 = @echo "  NVCC    " $@;
am__v_NVCC_1 =

# The assembler's report (registers, spills) is kept beside the object: tests/command/spills.sh reads it.
.cu.o:
	$(AM_V_NVCC)$(MKDIR_P) $(@D) && $(NVCC) $(DEFS) $(DEFAULT_INCLUDES) $(CPPFLAGS) \
	  $(AM_NVCCFLAGS) $(NVCC_GENCODE) $(NVCCFLAGS) -Xptxas=-v \
	  -MMD -MP -MT $@ -MF $(@:.o=.d) -c -o $@ $< 2>$(@:.o=.ptxas); status=$$?; \
	  if test $$status -ne 0; then cat $(@:.o=.ptxas) >&2; exit $$status; fi; \
	  grep -E 'warning|error' $(@:.o=.ptxas) >&2 || :

-include kernels/*.d kernels/*/*.d bench/*.d

MOSTLYCLEANFILES += bench/*.d bench/*.ptxas kernels/*.d kernels/*.ptxas kernels/*/*.d kernels/*/*.ptxas
