# Print the table of the matrix from the lines that case.sh wrote.
function s(ns) { return ns == "" ? "" : ns == "hangs" ? "hangs" : sprintf("%.3f", ns / 1e9) }
BEGIN {
    form = "%-5s %-27s %-7s %9s %9s %8s %6s %8s  %s\n"
    printf form, "step", "client", "gpu", "submits", "submits/s", "seconds", "exec %", "off",
        "result"
}
{
    share = $7 > 0 && $1 != "off" ? sprintf("%.1f", 100 * $8 / $7) : ""
    printf form, $1, $2, $3, $5, $10, s($7), share, s($9), $4
}
