#!/bin/bash
# Devices and paths as the command shows them: the emulated kernels give the bytes of the CPU, whatever
# their memory; what is asked for by name never falls back; a GPU that is hidden is said so, and CUDA
# is left alone where nobody wants it (case A21).
# shellcheck source=tests/command/common.sh disable=SC1091,SC2015,SC2153,SC2154
. "$(dirname "$0")/common.sh" || exit 1

cut_pictures
has_cuda=false
"$HALO" --list-devices | grep -q '^cuda ' && has_cuda=true
read -ra emulated < <(paths_of emulated | tr '\n' ' ')
[ ${#emulated[@]} -gt 0 ] || fail "the device emulated has no path"

# same_bytes FILTER BORDER: every path of the emulated device gives the bytes of the CPU.
same_bytes() {
	"$HALO" -q -D cpu -f "$1" -b "$2" -d cpu in/*.png || fail "$1, $2: cpu"
	for path in "${emulated[@]}"; do
		"$HALO" -q -D emulated -p "$path" -f "$1" -b "$2" -d got in/*.png || fail "$1, $2: $path does not run"
		diff -rq cpu got >differences || fail "$1, $2: $path: $(cat differences)"
		rm -r got
	done
}

for border in clamp mirror reflect wrap constant:77 crop; do
	same_bytes gauss:1.5 $border
	same_bytes sharpen $border
done
same_bytes box:4x3 wrap
same_bytes sobel-x reflect
same_bytes '1 2 3 4 5 4 3 2 1' mirror
same_bytes '0.1; 0.25; -0.3; 0.7' constant:200
same_bytes motion:9,30 clamp

# rows COUNT: ./err is a table of timings with so many rows, and nothing else.
rows() {
	[ "$(wc -l <err)" -eq $(($1 + 2)) ] && grep -q '^path ' err && grep -q '^1 picture, ' err ||
		fail "not $1 rows of timings: $(cat err)"
}

# row PATH DEVICE: that path has a row in ./err.
row() { grep -q "^$1  *$2 " err || fail "no row of $1 on $2: $(cat err)"; }

# --path=all and lists: a row for each, and the picture once.
"$HALO" -q -D cpu -f gauss:1 in/chart.png >expected || fail "cpu"
for device in cpu emulated; do
	read -ra names < <(paths_of $device | tr '\n' ' ')
	"$HALO" -t -D $device -p all -f gauss:1 in/chart.png >got 2>err || fail "-p all: $(cat err)"
	cmp -s expected got || fail "-D $device -p all does not write the picture once"
	rows ${#names[@]}
	for path in "${names[@]}"; do row "$path" $device; done
done
"$HALO" -t -p all -f gauss:1 in/chart.png >got 2>err && cmp -s expected got || fail "-p all: $(cat err)"
row vector cpu
! grep -q ' emulated ' err || fail "-p all runs the emulator unasked"
for list in vector,reference reference,vector; do
	"$HALO" -t -D cpu -p $list -f gauss:1 in/chart.png >got 2>err && cmp -s expected got || fail "-p $list"
	rows 2
	row vector cpu
	row reference cpu
	expect_status 0 "$HALO" -v -q -p $list -f gauss:1 -o out.png in/chart.png
	grep -q "path $list, as asked" err || fail "-v does not say -p $list: $(cat err)"
done
"$HALO" -t -D emulated -p global -f gauss:1 in/chart.png >got 2>err && cmp -s expected got || fail "-p global"
rows 1

# What alpha and linear light cost has a column of its own, which is empty where there is neither.
cells() {
	"$HALO" -t -D cpu -p reference -f gauss:1 "$@" >got 2>err || fail "-t $*: $(cat err)"
	sed -n '2s/ *$//p' err | wc -w
}
grep -q '^path .* decode *colour *upload .* total$' err || fail "no column of colour: $(cat err)"
[ "$(cells in/chart.png)" -eq 6 ] || fail "a cost of colour without any: $(cat err)"
[ "$(cells in/sprite.png)" -eq 7 ] || fail "no cost of alpha: $(cat err)"
[ "$(cells --linear in/chart.png)" -eq 7 ] || fail "no cost of --linear: $(cat err)"

# The table appears where it is asked for, not because standard error is a terminal.
if command -v script >/dev/null; then
	script -qec "'$HALO' -f gauss:1 -o out.png in/chart.png" /dev/null >typescript 2>&1 </dev/null || fail "on a terminal"
	[ ! -s typescript ] || fail "told without being asked: $(cat typescript)"
else
	echo "SKIP: timings on a terminal: script is missing"
fi

# Names that are wrong, or of another device.
picture=in/sprite.png
expect_error 2 "there is no path cubic; known are reference, vector" "$HALO" -f box:3 -p cubic $picture
expect_error 2 "there is no path cubic" "$HALO" -f box:3 -D cpu -p vector,cubic $picture
expect_error 2 "there is no path" "$HALO" -f box:3 -p '' $picture
expect_error 2 "there is no path" "$HALO" -f box:3 -p vector, $picture
expect_error 2 "not on cpu" "$HALO" -f box:3 -D cpu -p global $picture
expect_error 2 "vector runs on the device cpu, not on emulated" "$HALO" -f box:3 -D emulated -p vector $picture
expect_error 2 "global is named twice" "$HALO" -f box:3 -D emulated -p global,global $picture
expect_error 3 "no device abacus; it has auto, cpu" "$HALO" -f box:3 -D abacus $picture
expect_error 3 "no device" "$HALO" -f box:3 -D '' $picture
expect_error 2 "there is only one cpu; leave out :0" "$HALO" -f box:3 -D cpu:0 $picture
expect_error 2 "there is only one emulated; leave out :1" "$HALO" -f box:3 -D emulated:1 $picture
expect_error 3 "cuda" "$HALO" -f box:3 -D cuda:99 $picture
if $has_cuda; then
	for which in x '' -1 0x 1e1 99999999999999999999; do
		expect_error 2 "names no GPU" "$HALO" -f box:3 -D "cuda:$which" $picture
	done
else
	expect_error 3 "no device cuda" "$HALO" -f box:3 -D cuda:x $picture
fi

# A21: GPUs that are hidden, or not there.
"$HALO" -q -D cpu -f gauss:2 in/photo.png >expected || fail "cpu"
for hidden in '' -1 99; do
	CUDA_VISIBLE_DEVICES=$hidden expect_status 0 "$HALO" -q -D auto -f gauss:2 -o got in/photo.png
	cmp -s expected got || fail "A21: auto without a GPU gives another result"
	[ ! -s err ] || fail "A21: auto without a GPU says: $(cat err)"
	CUDA_VISIBLE_DEVICES=$hidden expect_error 3 "cuda" "$HALO" -q -D cuda -p global -f gauss:2 -o none $picture
	grep -q "can't be used: .\|has no device" err || fail "A21: no cause in: $(cat err)"
	CUDA_VISIBLE_DEVICES=$hidden expect_error 3 "--device=emulated runs it slowly" \
		"$HALO" -q -p global -f gauss:2 -o none $picture
	CUDA_VISIBLE_DEVICES=$hidden expect_status 0 "$HALO" --list-paths >list
	grep -q '^global  *emulated ' list || fail "A21: --list-paths: $(cat list)"
	[ ! -e none ] || fail "A21: something was written"
done
# So much work that a GPU is looked for: the slowest of the CPU's instructions, and one thread.
auto=(-j 1 -f disk:20 "$images/photo.png")
HALO_CPU=portable "$HALO" -q -D cpu "${auto[@]}" >expected || fail "cpu"
HALO_CPU=portable CUDA_VISIBLE_DEVICES=-1 expect_status 0 "$HALO" -v -q -o got --format=png "${auto[@]}"
cmp -s expected got || fail "A21: auto under much work gives another result"
if $has_cuda && ! grep -q "cuda can't be used: " err; then fail "A21: -v does not say why: $(cat err)"; fi

# A21: nobody wanted CUDA, so its library is not even looked for.
loads_cuda() {
	rm -f loader.*
	LD_DEBUG=libs LD_DEBUG_OUTPUT=loader "$HALO" "$@" >loads 2>&1
	grep -qs 'libcuda\.so' loader.*
}
if loads_cuda -q -D cuda -p global -f box:3 $picture; then
	for arguments in --help --version --usage --list-filters --list-formats "-q -f box:3 -D cpu $picture" \
		"-q -f box:3 -D cpu -p all $picture" "-q -f box:3 -p vector $picture" "-q -f box:3 $picture" \
		"-q -f box:3 -D emulated -p global $picture" "-f none $picture" "-f box:3 -p cubic $picture"; do
		read -ra words <<<"$arguments"
		loads_cuda "${words[@]}" && fail "A21: halo $arguments looks for CUDA"
	done
elif $has_cuda; then
	echo "SKIP: whether CUDA is left alone: this loader does not tell what it loads"
fi

# Less memory than a band needs: smaller bands, the same bytes; at the end a clear error.
mkdir wide
"$HALO" -q -b crop -f "$(middle 512 200)" -f "$(middle 512 150 | tr ' ' ';')" "$images/zone-plate.png" >wide/in.png
"$HALO" -q -D cpu -f sharpen wide/in.png >expected || fail "cpu"
for path in "${emulated[@]}"; do
	for bytes in 1000000 100000 50000; do # of the last the samples alone would take 60,000
		HALO_DEVICE_MEMORY=$bytes expect_status 0 "$HALO" -q -j 1 --band=150 -D emulated -p "$path" -f sharpen \
			-o got wide/in.png
		cmp -s expected got || fail "$path within $bytes bytes gives another result"
	done
	HALO_DEVICE_MEMORY=1000 expect_error 3 "memory" "$HALO" -q -D emulated -p "$path" -f sharpen -o none wide/in.png
	grep -q "it has 1000 free, and a band of one row needs [1-9][0-9]*K\?$" err || fail "$path does not say what it needs: $(cat err)"
	[ ! -e none ] || fail "$path within 1000 bytes leaves something"
	for streams in 1 2; do # bands wait for one that another band returns
		HALO_DEVICE_STREAMS=$streams expect_status 0 "$HALO" -q -j 4 --band=10 -D emulated -p "$path" -f sharpen \
			-o got wide/in.png
		cmp -s expected got || fail "$path with $streams streams gives another result"
	done
	HALO_DEVICE_STREAMS=2 HALO_DEVICE_MEMORY=50000 expect_status 0 "$HALO" -q -j 4 --band=75 -D emulated \
		-p "$path" -f sharpen -o got wide/in.png
	cmp -s expected got || fail "$path with 2 streams and 50000 bytes gives another result"
	HALO_DEVICE_STREAMS=0 HALO_DEVICE_MEMORY=50000 expect_error 3 "HALO_DEVICE_STREAMS is 0; it has 50000 free, and a band of one row needs " \
		"$HALO" -q -D emulated -p "$path" -f sharpen -o none wide/in.png
done
echo "devices and paths: as they should be"
