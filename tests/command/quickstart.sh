#!/usr/bin/env bash
# quickstart builds the part for GPUs only where that is worth its minutes, and says so.  Everything that it
# calls is made up here: what counts is the options that configure gets.
# shellcheck source=tests/command/common.sh disable=SC1091,SC2154
. "$(dirname "$0")/common.sh" || exit 1
mkdir -p images tests tools
cp "$here/../../quickstart" .
touch images/photo.png Makefile.in tests/results.sh

# tool FILE LINE...: a script of these lines.
tool() {
	local file=$1
	shift
	printf '%s\n' '#!/bin/sh' "$@" >"$file"
	chmod +x "$file"
}
tool tools/dpkg-query 'echo installed'
tool tools/apt-get 'exit 1'
tool tools/make 'mkdir -p tests' ':'
tool tools/nvcc ':'
tool tools/nproc 'echo 1'
tool configure 'printf "%s " "$@" >../arguments' 'touch config.status' 'chmod +x config.status' \
	'printf "#!/bin/sh\ncat\n" >halo' 'chmod +x halo' 'mkdir -p tests'
PATH=$work/tools:$PATH

# configures WANTED WORDS OPTION...: quickstart with these options says WORDS, and configure gets WANTED (a
# pattern), or is not called where that is "-".
configures() {
	local wanted=$1 words=$2 got=-
	shift 2
	rm -f arguments
	./quickstart "$@" >said 2>&1 </dev/null || fail "quickstart $*: $(cat said)"
	[ ! -f arguments ] || got=$(cat arguments)
	# shellcheck disable=SC2053 # a pattern
	[[ $got == $wanted ]] || fail "quickstart $*: configure got \"$got\" instead of \"$wanted\""
	grep -q -e "$words" said || fail "quickstart $* does not say \"$words\": $(cat said)"
}

left_out='no GPU was found, so the CUDA part is left out'
tool tools/nvidia-smi 'exit 9'
configures '--silent --without-cuda *' "$left_out"
configures - "$left_out"
configures '--silent --with-cuda *' 'some minutes' --with-cuda
configures '--silent NVCC_GENCODE=*' 'some minutes' check
configures - 'the result is' # what the tests have built stays
configures '--silent --without-cuda *' 'building' --without-cuda
configures '--silent --enable-werror NVCC*' 'some minutes' check --enable-werror
configures '--silent --without-cuda --prefix=/usr *' "$left_out" --prefix=/usr

tool tools/nvidia-smi 'case $* in -L) echo "GPU 0: made up" ;; *) echo 9.0 ;; esac'
rm -r build
configures '--silent NVCC_GENCODE=-arch=sm_90 ' 'some minutes'
echo "quickstart: configures as it should"
