# Print the external symbols that an object defines, one per line, sorted. Thunks that the compiler adds
# to 32-bit x86 position-independent code are left out.
nm -g "$@" | awk 'NF == 3 && $2 ~ /^[A-TV-Z]$/ && $3 !~ /^__x86[.]get_pc_thunk/ { print $2, $3 }' | LC_ALL=C sort
