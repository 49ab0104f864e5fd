#!/usr/bin/env bash
# Measures rawdev and its peers side by side on a 24-megapixel raw; needs a quiet machine.
#
# usage: speed.sh RAWDEV [PAIRS]    (3 pairs unless told; PYTHON names a python with rawpy,
#                                    pillow-heif, tifffile and numpy; SIZE="6000 4000";
#                                    ONLY=proraw leaves out the camera raws)
#
# Prints a Markdown table: medians of CPU seconds, wall seconds and peak memory, and their ratios.
set -euo pipefail
rawdev=$(realpath "$1")
pairs=${2:-3}
root=$(cd "$(dirname "$0")/../.." && pwd)
generator=${RAWDEV_GENERATOR:-$root/.build/release/make-fixtures}
read -r width height <<< "${SIZE:-6000 4000}"
[ -x "$generator" ] || {
  echo "build make-fixtures first: swift build -c release --product make-fixtures" >&2
  exit 1
}
folder=$(mktemp -d "${TMPDIR:-/tmp}/rawdev-speed-XXXXXX")
trap 'rm -rf "$folder"' EXIT
"$generator" benchmark "$folder/lossless.dng" --width "$width" --height "$height" > /dev/null
"$generator" benchmark "$folder/plain.dng" --width "$width" --height "$height" \
  --compression none > /dev/null
for form in analog-balance as-shot-neutral; do
  "$generator" proraw "$folder/$form.dng" --form "$form" > /dev/null
done
"$generator" proraw "$folder/jpeg-xl-48.dng" --megapixels 48 --compression jpeg-xl > /dev/null
"${PYTHON:-python3}" "$root/Scripts/verify/speed.py" "$rawdev" "$folder" "$pairs"
