#!/usr/bin/env bash
# Measures whole folders: rawdev batch and its peers on the same 24-megapixel raws to 16-bit TIFF, one
# after the other in one run; needs a quiet machine.
#
# usage: throughput.sh RAWDEV [COUNT]    (20 raws unless told; SIZE="6000 4000")
#
# Prints a Markdown table: seconds by the clock, CPU seconds, megapixels a second, busy share of the
# cores, and how many times faster rawdev is: with the recipe `plain`, which does what dcraw does, and with
# its own look, noise reduction and sharpening (`default`), each to the same kind of TIFF.
set -euo pipefail
rawdev=$(realpath "$1")
count=${2:-20}
root=$(cd "$(dirname "$0")/../.." && pwd)
generator=${RAWDEV_GENERATOR:-$root/.build/release/make-fixtures}
read -r width height <<< "${SIZE:-6000 4000}"
folder=$(mktemp -d "${TMPDIR:-/tmp}/rawdev-throughput-XXXXXX")
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/raws"
"$generator" benchmark "$folder/raws/000.dng" --width "$width" --height "$height" > /dev/null
for number in $(seq 1 $((count - 1))); do
  name=$(printf '%s/raws/%03d.dng' "$folder" "$number")
  cp "$folder/raws/000.dng" "$name"
  # Bytes behind the end make each file another one.
  printf '%d' "$number" >> "$name"
done
cat "$folder"/raws/*.dng > /dev/null

# Runs a command, writes "NAME seconds cpu" and removes what it made.
measure() {
  local name=$1
  shift
  sync
  /usr/bin/time -f "$name %e %U %S" -o "$folder/time" "$@" > "$folder/$name.log" 2>&1 \
    || echo "$name ended with $?" >&2
  tail -n 1 "$folder/time" >> "$folder/times"
  local made
  made=$(find "$folder/out" "$folder/raws" -size +1M \( -name '*.tif' -o -name '*.tiff' \) | wc -l)
  [ "$made" = "$count" ] || echo "$name made $made of $count pictures" >&2
  rm -rf "$folder/out"
  find "$folder/raws" ! -name '*.dng' -type f -delete
  mkdir "$folder/out"
}
mkdir "$folder/out"
cores=$(nproc)
measure rawdev-plain "$rawdev" batch "$folder/raws" -o "$folder/out" --recipe plain
measure rawdev-default "$rawdev" batch "$folder/raws" -o "$folder/out" --format tiff \
  --tiff-compression none
if command -v dcraw_emu > /dev/null; then
  measure dcraw_emu sh -c "ls '$folder'/raws/*.dng | xargs -P$cores -n1 dcraw_emu -T -6 -w -q 3"
fi
if command -v darktable-cli > /dev/null; then
  measure darktable-cli sh -c "for raw in '$folder'/raws/*.dng; do
      darktable-cli \"\$raw\" '$folder/out/'\$(basename \"\$raw\" .dng).tif --core \
        --configdir '$folder/darktable' --library :memory: \
        --conf plugins/imageio/format/tiff/bpp=16 --conf plugins/imageio/format/tiff/compress=0
    done"
fi
if command -v rawtherapee-cli > /dev/null; then
  measure rawtherapee-cli rawtherapee-cli -o "$folder/out" -t -b16 -Y -q -c "$folder/raws"
fi
measure rawdev-plain-again "$rawdev" batch "$folder/raws" -o "$folder/out" --recipe plain
awk -v pixels="$((width * height * count))" -v cores="$cores" '
  { name[NR] = $1; wall[$1] = $2; cpu[$1] = $3 + $4 }
  END {
    print "| program | s | CPU s | MP/s | busy | plain is faster | default is faster |"
    print "|---|---|---|---|---|---|---|"
    for (i = 1; i <= NR; i++) {
      n = name[i]
      printf "| %s | %.1f | %.1f | %.1f | %.0f %% | %.2f x | %.2f x |\n", n, wall[n], cpu[n],
        pixels / 1e6 / wall[n], 100 * cpu[n] / wall[n] / cores, wall[n] / wall["rawdev-plain"],
        wall[n] / wall["rawdev-default"]
    }
  }' "$folder/times"
