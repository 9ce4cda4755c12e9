# Each rule of the three checkers is named in a test of its vendor: RULE(NAME), R(NAME), RULE_NAME, or by
# the name in quotes. Rules are the rows of GPUCMD_*_RULES.
. tests/checks/lib.sh

passed=0
failed=0
for vendor in nv i915 agx; do
    names=$(awk '/^#define GPUCMD_(NV_RULES|NV_HOST_RULES|NVGPU_RULES|I915_RULES|AGX_RULES)\(/ { on = 1; next }
        on { if (match($0, /[A-Z]\( *[A-Z0-9_]+,/)) {
                 name = substr($0, RSTART + 2, RLENGTH - 3); gsub(/ /, "", name); print name }
             if ($0 !~ /\\$/) on = 0 }' gpucmd_$vendor.h)
    [ "$names" ] || { echo "FAIL: rules: gpucmd_$vendor.h has no rules"; exit 1; }
    # print.c lists all rules with their severities
    tests=$(ls tests/$vendor/*.[ch] | grep -v '/print[.]c$')
    for name in $names; do
        short=${name#PIPE_} # the RULE of pipe.c adds the prefix
        if grep -qE "(R|RULE|N)\(($name|$short)\)|RULE_$name($|[^A-Z0-9_])|\"$name\"|[{ ]$name," $tests; then
            passed=$((passed + 1))
        else
            echo "FAIL: rules: $vendor: no test names rule $name; expected a row that breaks it"
            failed=$((failed + 1))
        fi
    done
done
echo "static/rules: $passed passed, $failed failed"
[ $failed = 0 ]
