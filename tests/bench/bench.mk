# `make bench`: the table of goals. BENCH_QUICK=1 for a shorter, rougher run.
bench:
	@BENCH_QUICK='$(BENCH_QUICK)' $(RUN) tests/bench/bench.sh
