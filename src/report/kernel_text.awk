# Makes a table in C of the lines of the files that it is given, under the names that it is given:
# what kernel_text.c looks up.
#
#   awk -f kernel_text.awk kernels/global.cu ... > kernel_text_table.c

BEGIN {
  print "/* Made by kernel_text.awk: the lines of the kernels' sources.  See kernel_text.h. */"
  print "#include \"kernel_text.h\""
  print "#include <stddef.h>"
}

FNR == 1 {
  if (files > 0)
    print "};"
  file[files++] = FILENAME
  printf "\nstatic const char *const file%d[] = {\n", files - 1
}

{
  gsub(/\\/, "&&")
  gsub(/"/, "\\\"")
  gsub(/\t/, "\\t")
  gsub(/\r/, "")
  gsub(/\?/, "\\?") # or two of them could begin a trigraph
  printf "  \"%s\",\n", $0
  lines[files - 1] = FNR
}

END {
  print "};\n\nconst struct kernel_text kernel_texts[] = {"
  for (i = 0; i < files; i++)
    printf "  {\"%s\", file%d, %d},\n", file[i], i, lines[i]
  print "};\n\nconst size_t kernel_text_count = sizeof kernel_texts / sizeof *kernel_texts;"
}
