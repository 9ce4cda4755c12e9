# `make bench`: print the table of goals. BENCH_QUICK=1: a shorter, less exact run.
bench:
	@BENCH_QUICK='$(BENCH_QUICK)' $(RUN) tests/bench/bench.sh
