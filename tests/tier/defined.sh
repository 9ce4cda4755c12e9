# The external symbols that an object defines, one a line, sorted. 32-bit x86 position-independent
# code brings thunks of the compiler's own; they do not count.
nm -g "$@" | awk 'NF == 3 && $2 ~ /^[A-TV-Z]$/ && $3 !~ /^__x86[.]get_pc_thunk/ { print $2, $3 }' | LC_ALL=C sort
