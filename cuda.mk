# How a .cu file becomes an object.  Included by Makefile.am where nvcc was found.
#
# Per-target flags never reach .cu files: what they need stands in AM_CPPFLAGS and AM_NVCCFLAGS.
# -fmad=false is nvcc's -ffp-contract=off: a multiply-add is one where the source says fmaf.

AM_NVCCFLAGS = -std=c++17 -fmad=false -I$(top_srcdir)/src \
	-Xcompiler=-Wall,-Wextra,-ffp-contract=off

AM_V_NVCC = $(am__v_NVCC_@AM_V@)
am__v_NVCC_ = $(am__v_NVCC_@AM_DEFAULT_V@)
am__v_NVCC_0 = @echo "  NVCC    " $@;
am__v_NVCC_1 =

.cu.o:
	$(AM_V_NVCC)$(MKDIR_P) $(@D) && $(NVCC) $(DEFS) $(DEFAULT_INCLUDES) $(CPPFLAGS) \
	  $(AM_NVCCFLAGS) $(NVCC_GENCODE) $(NVCCFLAGS) \
	  -MMD -MP -MT $@ -MF $(@:.o=.d) -c -o $@ $<

-include kernels/*.d

MOSTLYCLEANFILES += kernels/*.d
