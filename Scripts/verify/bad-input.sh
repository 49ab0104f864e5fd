#!/usr/bin/env bash
# Abuse of the command line: whatever goes wrong costs one line on standard error and the documented
# exit code, and leaves neither an output nor a temporary file.
#
# usage: bad-input.sh RAWDEV SHARED    (SHARED holds raws/)
#
# Ends with "N passed, M failed" and fails when M is not 0. What needs root (a full disk) or a second
# user (an unreadable file) is left out aloud without.
set -u
rawdev=$(realpath "$1")
shared=$(realpath "$2")
root=$(cd "$(dirname "$0")/../.." && pwd)
generator=${RAWDEV_GENERATOR:-$root/.build/release/make-fixtures}
work=$(mktemp -d)
chmod 755 "$work"
passed=0
failed=0

finish() {
  if mountpoint -q "$work/disk" 2> /dev/null; then umount "$work/disk"; fi
  rm -rf "$work"
}
trap finish EXIT

ok() { passed=$((passed + 1)); }
bad() {
  failed=$((failed + 1))
  echo "FAILED $1: $2"
}

# Nothing of ours may be left in the folder but the files named.
leaves() {
  local name=$1 folder=$2
  shift 2
  local found
  found=$(ls -A "$folder" | sort | tr '\n' ' ')
  local wanted
  wanted=$([ $# -eq 0 ] || printf '%s\n' "$@" | sort | tr '\n' ' ')
  if [ "$found" = "$wanted" ]; then ok; else bad "$name" "left behind: $found, wanted: $wanted"; fi
}

# expect NAME CODE COMMAND...: the exit code, and exactly one line on standard error.
expect() {
  local name=$1 code=$2
  shift 2
  local got lines
  timeout 300 "$@" > "$work/stdout" 2> "$work/stderr"
  got=$?
  if [ "$got" = "$code" ]; then ok; else bad "$name" "exit $got, wanted $code: $(head -c 300 "$work/stderr")"; fi
  lines=$(wc -l < "$work/stderr")
  if [ "$lines" = 1 ]; then ok; else bad "$name" "$lines lines on stderr: $(head -c 600 "$work/stderr")"; fi
  printf '%-44s exit %-3s %s\n' "$name" "$got" "$(head -1 "$work/stderr" | sed "s|$work/||g; s|$shared/||g" | cut -c1-150)"
}

mkdir "$work/in" "$work/out"
: > "$work/in/empty.dng"
echo "This is no raw, whatever its name says." > "$work/in/text.dng"
printf 'II*\0\xff\xff\xff\x7f' > "$work/in/wild.dng"
mkdir "$work/in/folder.dng"
sample=$root/Fixtures/sunset-linear.dng

for kind in empty text wild; do
  expect "$kind" 65 "$rawdev" develop "$work/in/$kind.dng" -o "$work/out/x.heic"
  leaves "$kind" "$work/out"
done
expect "missing file" 66 "$rawdev" develop "$work/in/none.dng" -o "$work/out/x.heic"
leaves "missing file" "$work/out"
expect "a folder as raw" 66 "$rawdev" develop "$work/in/folder.dng" -o "$work/out/x.heic"
leaves "a folder as raw" "$work/out"

for raw in "$shared/raws/canon30d_IMG_0848.CR2" "$shared/raws/canonKissX4_colorchart.dng" \
  "$shared/raws/bmpcc_coffee.dng" "$sample"; do
  if [ ! -f "$raw" ]; then
    echo "MISSING $raw: its truncations are left out"
    continue
  fi
  bytes=$(stat -c %s "$raw")
  for share in 1 50 99; do
    cut=$work/in/cut$share.${raw##*.}
    head -c $((bytes * share / 100)) "$raw" > "$cut"
    expect "$(basename "$raw") cut at $share %" 65 "$rawdev" develop "$cut" -o "$work/out/x.heic"
    leaves "$(basename "$raw") cut at $share %" "$work/out"
    rm "$cut"
  done
done

# A file that may not be read, and a folder that may not be written.
cp "$sample" "$work/in/secret.dng"
chmod 000 "$work/in/secret.dng"
mkdir "$work/locked"
chmod 555 "$work/locked"
user=()
[ "$(id -u)" = 0 ] && user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if "${user[@]}" test -x "$rawdev" 2> /dev/null; then
  program=$rawdev
else
  program=$work/rawdev
  cp "$rawdev" "$program"
  chmod 755 "$program"
fi
if ! "${user[@]}" "$program" --version > /dev/null 2>&1; then
  echo "LEFT OUT: unreadable file and locked folder; no other user can run $program"
else
  cp "$sample" "$work/in/open.dng"
  chmod 644 "$work/in/open.dng"
  chmod 777 "$work/out"
  expect "unreadable file" 66 "${user[@]}" "$program" develop "$work/in/secret.dng" -o "$work/out/x.heic"
  leaves "unreadable file" "$work/out"
  expect "folder without permission" 73 "${user[@]}" "$program" develop "$work/in/open.dng" \
    -o "$work/locked/x.heic"
  leaves "folder without permission" "$work/locked"
  rm "$work/in/open.dng"
fi
rm -f "$work/in/secret.dng"

# A full disk.
mkdir "$work/disk"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=1m tmpfs "$work/disk" 2> /dev/null; then
  for format in tiff tiff-float heif-pq; do
    # The HEIF of the fixture is smaller than the disk; fill most of it.
    head -c 900000 /dev/zero > "$work/disk/ballast"
    [ $format = heif-pq ] && quality=(--quality 1) || quality=(--tiff-compression none)
    expect "full disk, $format" 73 "$rawdev" develop "$root/Fixtures/sunset-bayer.dng" \
      -o "$work/disk/x.tif" --format $format "${quality[@]}"
    leaves "full disk, $format" "$work/disk" ballast
    grep -q full "$work/stderr" && ok || bad "full disk, $format" "does not say that the disk is full"
  done
  umount "$work/disk"
else
  echo "LEFT OUT: full disk; mounting a small one needs root"
fi

expect "output folder does not exist" 73 "$rawdev" develop "$sample" -o "$work/none/x.heic"
[ ! -e "$work/none" ] && ok || bad "output folder does not exist" "it was made"
mkdir "$work/out/x.heic"
expect "several raws into a file's name" 2 "$rawdev" develop "$sample" "$sample" -o "$sample"
rmdir "$work/out/x.heic"
cp "$sample" "$work/out/self.dng"
sum=$(sha256sum < "$work/out/self.dng")
expect "output is the raw itself" 2 "$rawdev" develop "$work/out/self.dng" -o "$work/out/self.dng"
expect "the raw itself by another way" 2 "$rawdev" develop "$work/out/self.dng" \
  -o "$work/out/../out/self.dng"
ln -s self.dng "$work/out/link.dng"
expect "the raw itself by a link" 2 "$rawdev" develop "$work/out/link.dng" -o "$work/out/self.dng"
rm "$work/out/link.dng"
[ "$sum" = "$(sha256sum < "$work/out/self.dng")" ] && ok || bad "output is the raw itself" "the raw changed"
leaves "output is the raw itself" "$work/out" self.dng
rm "$work/out/self.dng"
expect "two raws to one name" 2 "$rawdev" develop "$sample" "$sample" -o "$work/out/"
leaves "two raws to one name" "$work/out"

# A folder as output takes the raw's own name.
timeout 60 "$rawdev" develop "$sample" -o "$work/out" --format heif-sdr > /dev/null 2> "$work/stderr"
[ $? = 0 ] && [ ! -s "$work/stderr" ] && ok || bad "output is a folder" "$(cat "$work/stderr")"
leaves "output is a folder" "$work/out" sunset-linear.heic
rm "$work/out/sunset-linear.heic"

# One bad raw among good ones.
cp "$sample" "$work/in/a.dng"
cp "$sample" "$work/in/c.dng"
expect "one bad of three" 3 "$rawdev" develop "$work/in/a.dng" "$work/in/text.dng" "$work/in/c.dng" \
  -o "$work/out" --format heif-sdr
leaves "one bad of three" "$work/out" a.heic c.heic
rm "$work/out/"*
timeout 60 "$rawdev" develop "$work/in/empty.dng" "$work/in/text.dng" -o "$work/out" 2> "$work/stderr"
[ $? = 4 ] && [ "$(wc -l < "$work/stderr")" = 2 ] && ok || bad "all bad" "$(cat "$work/stderr")"
leaves "all bad" "$work/out"

# Wrong options.
for wrong in "--quality 2" "--format gif" "--orientation 9" "--scale-factor 0" "--scale-factor nan" \
  "--edr 1.5" "--bits 9" "--neutral-chromaticity 1,x" "--threads 0" "--decoder-version 99"; do
  # shellcheck disable=SC2086
  timeout 60 "$rawdev" develop "$sample" -o "$work/out/x.heic" $wrong > "$work/stdout" 2> "$work/stderr"
  code=$?
  [ $code = 2 ] && ok || bad "$wrong" "exit $code, wanted 2"
  [ -s "$work/stderr" ] && [ ! -s "$work/stdout" ] && ok || bad "$wrong" "no message on stderr"
done
leaves "wrong options" "$work/out"

# A run that is stopped: the old file stays, nothing half-written does.
if [ -x "$generator" ] && "$generator" benchmark "$work/in/big.dng" > /dev/null; then
  for signal in INT TERM HUP; do
    for delay in 0.1 0.6 1.2; do
      echo old > "$work/out/big.heic"
      "$rawdev" develop "$work/in/big.dng" -o "$work/out/big.heic" --format heif-pq \
        --chroma 444 --quality 1 > /dev/null 2> "$work/stderr" &
      process=$!
      sleep $delay
      if kill -s $signal $process 2> /dev/null; then
        wait $process
        code=$?
        name="SIG$signal after $delay s"
        [ $code = 75 ] && ok || bad "$name" "exit $code, wanted 75"
        [ "$(wc -l < "$work/stderr")" = 1 ] && ok || bad "$name" "stderr: $(cat "$work/stderr")"
        [ "$(cat "$work/out/big.heic")" = old ] && ok || bad "$name" "the old file is gone"
        leaves "$name" "$work/out" big.heic
        printf '%-44s exit %-3s %s\n' "$name" "$code" "$(head -1 "$work/stderr")"
      else
        wait $process
        echo "LEFT OUT: SIG$signal after $delay s; the picture was done before"
      fi
    done
  done
  rm "$work/out/big.heic"
  # The same while a TIFF is being written, whose temporary file grows from the start.
  echo old > "$work/out/big.tif"
  "$rawdev" develop "$work/in/big.dng" -o "$work/out/big.tif" > /dev/null 2> "$work/stderr" &
  process=$!
  for _ in $(seq 200); do
    [ -e "$work/out/.big.tif.rawdev-tmp" ] && break
    sleep 0.02
  done
  [ -e "$work/out/.big.tif.rawdev-tmp" ] && ok || bad "stopped TIFF" "no temporary file was seen"
  kill -s TERM $process
  wait $process
  code=$?
  [ $code = 75 ] && ok || bad "stopped TIFF" "exit $code, wanted 75"
  [ "$(cat "$work/out/big.tif")" = old ] && ok || bad "stopped TIFF" "the old file is gone"
  leaves "stopped TIFF" "$work/out" big.tif
else
  echo "LEFT OUT: stopped runs; build make-fixtures first (swift build -c release --product make-fixtures)"
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
