# Print the kind of compiler that the arguments name: gcc, clang or other.
"$@" -dM -E -x c /dev/null 2>/dev/null |
    awk '/__clang__/ { c = 1 } /__GNUC__/ { g = 1 }
         END { print c ? "clang" : g ? "gcc" : "other" }'
