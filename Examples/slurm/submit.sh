#!/usr/bin/env bash
# Develops the raws of a manifest on a Slurm cluster: an array of tasks, and after it a job that
# puts their reports together.
#
# usage: submit.sh MANIFEST OUT [OPTION of rawdev batch]...
#
# MANIFEST and OUT stand where every node sees them under the same path.
# RAWS_PER_TASK  raws of one task; default 500
# CORES_PER_TASK cores of one task; default 4
# TASKS_AT_ONCE  most tasks that run at a time; default: as the cluster allows
# RAWDEV         program, the same path on every node; default: rawdev of the PATH
# What else sbatch needs comes from its own variables: SBATCH_PARTITION, SBATCH_ACCOUNT,
# SBATCH_TIMELIMIT, SBATCH_MEM_PER_NODE …
#
# Leaves OUT/rawdev-report.html and .jsonl, MANIFEST without its ending + .retry.jsonl of what
# failed, and the logs of tasks in OUT/.rawdev. Submitting again skips what is done. Prints the
# numbers of the jobs.
set -euo pipefail

if [ $# -lt 2 ]; then
  sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
manifest=$(realpath -- "$1")
mkdir -p -- "$2/.rawdev"
out=$(realpath -- "$2")
shift 2
export RAWDEV=${RAWDEV:-rawdev}
command -v "$RAWDEV" > /dev/null || { echo "there is no program $RAWDEV; set RAWDEV" >&2; exit 2; }

raws=$(grep -c '[^[:space:]]' -- "$manifest") || { echo "$manifest lists no raws" >&2; exit 65; }
share=${RAWS_PER_TASK:-500}
tasks=$(((raws + share - 1) / share))
# Indexes of tasks stay below MaxArraySize; above that, tasks get more raws.
most=$(scontrol show config | sed -n 's/^MaxArraySize *= *//p')
if [ -n "$most" ] && [ "$tasks" -gt "$most" ]; then tasks=$most; fi
export RAWDEV_SHARDS=$tasks

# Reports that are older than this file belong to earlier submissions.
touch -- "$out/.rawdev/submitted"
array=$(sbatch --parsable --array="0-$((tasks - 1))${TASKS_AT_ONCE:+%$TASKS_AT_ONCE}" \
  --cpus-per-task="${CORES_PER_TASK:-4}" \
  --output="$out/.rawdev/slurm-%A_%a.log" "$here/rawdev-array.sbatch" "$manifest" "$out" "$@")
array=${array%%;*}
merge=$(sbatch --parsable --dependency="afterany:$array" \
  --output="$out/.rawdev/slurm-%j-merge.log" \
  "$here/rawdev-merge.sbatch" "$manifest" "$out" "$tasks")
echo "$raws raws: array $array of $tasks tasks, then merge ${merge%%;*}"
