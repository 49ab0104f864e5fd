#!/usr/bin/env bash
# Builds Examples/develop-folder, a package that depends on this one by path, and develops two raws and a
# damaged file with it.
#
# usage: example.sh RAWDEV    (BUILD="-c release" for another kind of build)
#
# The pictures must be those that `rawdev develop` makes by the same recipe, byte for byte; the damaged file
# costs itself and exit code 3. Small raws: a debug build takes a hundred times as long for a pixel. Ends with
# "example.sh: N checks, M failed".
set -euo pipefail
rawdev=$(realpath "$1")
cd "$(dirname "$0")/../../Examples/develop-folder"
read -ra build <<< "${BUILD:-}"
swift build "${build[@]}"
program=$(swift build "${build[@]}" --show-bin-path)/develop-folder
folder=$(mktemp -d "${TMPDIR:-/tmp}/rawdev-example-XXXXXX")
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/raws"
for name in one two; do cp ../../Fixtures/sunset-linear.dng "$folder/raws/$name.dng"; done
echo "no raw" > "$folder/raws/damaged.dng"
checks=0 failed=0
check() {
  local name=$1
  shift
  checks=$((checks + 1))
  if "$@"; then echo "ok     $name"; else failed=$((failed + 1)); echo "FAILED $name"; fi
}
code=0
"$program" "$folder/raws" "$folder/out" > "$folder/said" 2> "$folder/progress" || code=$?
check "a damaged file costs itself: exit code 3" [ "$code" = 3 ]
check "it is named, once" [ "$(grep -c damaged.dng "$folder/said")" = 1 ]
check "progress is shown" grep -q "100 %" "$folder/progress"
for name in one two; do
  "$rawdev" develop "$folder/raws/$name.dng" -r web -o "$folder/$name.jpg" > /dev/null 2>&1 || true
  check "$name is what rawdev develop makes of it" cmp "$folder/$name.jpg" "$folder/out/$name.jpg"
done
check "nothing else is written" [ "$(find "$folder/out" -type f | wc -l)" = 2 ]
echo "example.sh: $checks checks, $failed failed"
[ "$failed" = 0 ]
