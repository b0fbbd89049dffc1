#!/bin/bash
# bench/plot: pictures of two runs of the bench come out, with every path in the legend; what is no such
# run is one line of error and no picture.
# shellcheck source=tests/command/common.sh disable=SC1091,SC2015,SC2154
. "$(dirname "$0")/common.sh" || exit 1

command -v python3 >/dev/null || skip "python3 is missing"
command -v gnuplot >/dev/null || skip "gnuplot is missing (Debian: gnuplot-nox)"
plot=$here/../../bench/plot

# row PATH DEVICE MEDIAN FMAS GFMA: as the bench writes it; the quartiles are not equally far from the median.
row() {
	printf '{"path": "%s", "device": "%s", "samples": 40, "median_ns": %s, "iqr_ns": 900,
		"lower_quartile_ns": %s, "upper_quartile_ns": %s, "bytes": 393216, "fmas": %s, "gfma_per_s": %s,
		"binds": "memory", "registers": null, "doubt": null}' "$1" "$2" "$3" $(($3 - 200)) $(($3 + 700)) "$4" "$5"
}

# run SIZE TIME: a run with a filter of that size, in which every path takes that many ns, or more.
run() {
	local fmas=$((196608 * $1 * $1))
	cat <<-END
		{"halo": "0.1.0", "seed": 1,
		 "image": {"width": 256, "height": 256, "channels": 3, "type": "8-bit"},
		 "filter": {"name": "box:$1", "width": $1, "height": $1, "passes": 1, "taps": $(($1 * $1))},
		 "ceilings": [
		   {"device": "cpu", "copy_bytes_per_second": 2.1e10, "fma_per_second": 7.5e10},
		   {"device": "cuda:0", "copy_bytes_per_second": 4.2e12, "fma_per_second": 3.3e13}],
		 "rows": [$(row vector cpu "$2" $fmas 55.5), $(row reference cpu "$2"0 $fmas 5.5),
		   $(row register cuda:0 "${2%00}" $fmas 5550)]}
	END
}

run 3 60000 >three.json
run 15 990000 >fifteen.json
expect_status 0 python3 "$plot" -o out three.json fifteen.json >told
for name in out-time out-roofline; do
	for kind in svg png; do
		grep -qx "$name.$kind" told || fail "$name.$kind is not named"
		[ -s $name.$kind ] || fail "no $name.$kind"
	done
	grep -q '</svg>' $name.svg || fail "$name.svg is not whole"
	"$HALO" -q -f identity -o same.pam $name.png || fail "$name.png is no picture"
	for text in "vector, cpu" "reference, cpu" "register, cuda:0"; do
		grep -q ">.*$text.*<" $name.svg || fail "$name.svg does not name $text"
	done
done
grep -q "cpu: 21 GB/s, 75 G/s" out-roofline.svg || fail "the roofline does not tell the roof"

# The bars are the quartiles themselves: 59.8 to 60.7 us around 60.
python3 - "$plot" three.json <<-'EOF' || fail "the bars are not the quartiles"
	import importlib.machinery, importlib.util, sys
	sys.dont_write_bytecode = True
	loader = importlib.machinery.SourceFileLoader("plot", sys.argv[1])
	plot = importlib.util.module_from_spec(importlib.util.spec_from_loader("plot", loader))
	loader.exec_module(plot)
	run = plot.file_read(sys.argv[2])
	script = plot.time_script(list(plot.rows_timed([("three", run)])))
	assert "3 60.0 59.8 60.7\n" in script, script
EOF

# A row that the bench doubts is named, and drawn.
sed '0,/"doubt": null/s//"doubt": "only 3 samples"/' three.json >doubted.json
expect_status 0 python3 "$plot" -o doubted doubted.json >told
grep -qx "plot: doubted.json: vector on cpu is doubtful: only 3 samples" err || fail "doubted: $(cat err)"
grep -q vector doubted-time.svg || fail "a doubtful path is not drawn"

# Without -o the names begin with halo-bench; a row without a time is named and left out.
sed 's/"path": "reference", "device": "cpu", "samples": 40, "median_ns": [0-9]*/"path": "reference", "device": "cpu", "samples": 0, "median_ns": null/' \
	three.json >untimed.json
expect_status 0 python3 "$plot" untimed.json >told
[ -s halo-bench-time.svg ] || fail "no halo-bench-time.svg"
[ "$(wc -l <err)" -eq 1 ] && grep -q "reference on cpu has no time" err || fail "untimed: $(cat err)"
! grep -q reference halo-bench-time.svg || fail "a path without a time is drawn"

# wrong WORDS FILE: exit status 1, one line, no pictures.
wrong() {
	expect_error 1 "$1" python3 "$plot" -o wrong three.json "$2"
	! ls wrong-* 2>/dev/null || fail "pictures of $2"
}
echo 'path device median' >table.json
echo '[1, 2]' >list.json
echo '{"rows": []}' >other.json
head -c 300 three.json >cut.json
printf '\377\376\000' >bytes.json
sed 's/"device": "cpu"/"device": 7/' three.json >number.json
sed 's/"width": 3,/"width": 0,/' three.json >empty.json
wrong "table.json: not JSON" table.json
wrong "list.json: not of halo --bench" list.json
wrong "other.json: not of halo --bench --format=json: no \"image\"" other.json
wrong "cut.json: not JSON" cut.json
wrong "bytes.json: not JSON" bytes.json
wrong "number.json: not of halo --bench" number.json
wrong "empty.json: not of halo --bench" empty.json
wrong "none.json: No such file" none.json
sed 's/"median_ns": [0-9]*/"median_ns": null/' three.json >nothing.json
expect_status 1 python3 "$plot" -o wrong nothing.json
grep -q "nothing to draw" err || fail "nothing to draw: $(cat err)"
expect_error 1 "No such file or directory" python3 "$plot" -o none/out three.json
mkdir bin
python=$(python3 -c 'import sys; print(sys.executable)')
expect_error 1 "gnuplot is not installed" env PATH="$work/bin" "$python" "$plot" -o wrong three.json
expect_status 2 python3 "$plot"
echo "pictures of two runs, and nine files that are none"
