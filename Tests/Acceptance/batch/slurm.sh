#!/usr/bin/env bash
# A cluster of two nodes on one machine loses one of them in the middle of a batch, for good and at
# once; every picture is there, once, as if nothing had happened.
#
# usage: slurm.sh RAWDEV [COUNT]    (COUNT raws, default 60; as root on Debian 12)
#
# Each node is a slurmd in a process and host name space of its own: killing its first process kills
# all of the node, as a loss of power does, and reports and journals name w1 and w2 as on two
# machines. Slurm and munge come from apt where they are missing; nothing outside a temporary folder
# is configured. KEEP=1 leaves the folder. Ends with "slurm.sh: N checks, M failed" and fails when M
# is not 0.
set -euo pipefail

if [ $# -lt 1 ]; then
  echo "usage: slurm.sh RAWDEV [COUNT]" >&2
  exit 2
fi
rawdev=$(realpath "$1")
count=${2:-60}
root=$(cd "$(dirname "$0")/../../.." && pwd)
if [ "$count" -lt 40 ]; then
  echo "slurm.sh: takes 40 raws and more" >&2
  exit 2
fi
if [ "$(id -u)" != 0 ]; then
  echo "slurm.sh: needs root, for apt, munge and name spaces" >&2
  exit 2
fi
# Tasks of about ten raws, so that one can be met in its middle.
tasks=$((count / 10 > 6 ? 6 : count / 10))
checks=0
failed=0
began=$SECONDS

# --- What is needed

missing=()
for pair in slurmctld:slurm-wlm slurmd:slurm-wlm munged:munge heif-convert:libheif-examples jq:jq; do
  command -v "${pair%%:*}" > /dev/null || missing+=("${pair#*:}")
done
if [ ${#missing[@]} != 0 ]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q > /dev/null
  apt-get install -y -q --no-install-recommends "${missing[@]}" > /dev/null
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/rawdev-slurm.XXXXXX")
chmod 755 "$work"
export SLURM_CONF=$work/slurm.conf
declare -A nodes=()
daemons=()

finish() {
  set +e
  trap - EXIT INT TERM
  # A node's first process takes all others with it; the wrappers of unshare end with them.
  kill -KILL "${nodes[@]}" "${daemons[@]}" 2> /dev/null
  wait "${nodes[@]}" "${daemons[@]}" 2> /dev/null
  if [ -n "${KEEP:-}" ]; then echo "left: $work"; else rm -rf "$work"; fi
}
trap finish EXIT
trap 'exit 130' INT TERM
trap 'echo "FAILED  line $LINENO: $BASH_COMMAND" >&2' ERR

# check NAME WANTED FOUND
check() {
  checks=$((checks + 1))
  if [ "$2" = "$3" ]; then
    printf 'ok      %s: %s\n' "$1" "$3"
  else
    failed=$((failed + 1))
    printf 'FAILED  %s: %s, wanted %s\n' "$1" "$3" "$2"
  fi
}

say() { printf '%4d s  %s\n' $((SECONDS - began)) "$*"; }

give_up() {
  echo "FAILED  $*"
  tail -n 8 "$work"/log/slurm* "$work"/out/.rawdev/*.log 2> /dev/null || true
  echo "slurm.sh: $checks checks, $((failed + 1)) failed"
  exit 1
}

# wait_for WHAT COMMAND...: no check judges by how long that takes.
wait_for() {
  local limit=$((SECONDS + 1200)) what=$1
  shift
  until "$@" > /dev/null 2>&1; do
    [ $SECONDS -lt $limit ] || give_up "waited in vain for $what"
    sleep 0.3
  done
}

# --- The cluster

mkdir -p "$work"/{munge,state,spool,log,in,out,plain}
chmod 700 "$work/munge"
# Three ports that are free now.
mapfile -t ports < <(
  for port in $(shuf -i 20000-32000 -n 50); do
    (: < "/dev/tcp/127.0.0.1/$port") 2> /dev/null || echo "$port"
  done | head -n 3
)
dd if=/dev/urandom of="$work/munge/key" bs=128 count=1 status=none
chmod 400 "$work/munge/key"

# munged wants to stand in nobody else's way: its socket in a folder that all may enter.
mkdir -m 755 "$work/socket"
munged --foreground --key-file="$work/munge/key" --socket="$work/socket/munge" \
  --pid-file="$work/munge/pid" --seed-file="$work/munge/seed" --log-file="$work/munge/log" \
  > "$work/log/munged" 2>&1 &
daemons+=($!)

# cred_expire is also how long a task that is queued again has to wait. Debian's other defaults
# would write below /var and /etc.
cat > "$SLURM_CONF" <<CONF
ClusterName=rawdev
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/socket/munge,cred_expire=8
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool/%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
SlurmctldLogFile=$work/log/slurmctld
SlurmdLogFile=$work/log/slurmd-%n
SlurmdParameters=config_overrides
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
MailProg=/bin/true
SlurmdTimeout=15
KillWait=12
MinJobAge=600
MaxArraySize=1001
ReturnToService=2
RequeueExit=75
NodeName=w1 NodeAddr=127.0.0.1 Port=${ports[1]} CPUs=1 RealMemory=4000 State=UNKNOWN
NodeName=w2 NodeAddr=127.0.0.1 Port=${ports[2]} CPUs=1 RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes=w1,w2 Default=YES MaxTime=INFINITE State=UP
CONF
touch "$work/log/slurmctld"

start_node() {
  mkdir -p "$work/spool/$1"
  # The shell is the first process of the node and collects what slurmd leaves.
  # shellcheck disable=SC2016  # for the inner shell
  unshare --uts --pid --fork --mount-proc --kill-child=KILL \
    bash -c 'hostname "$1"; slurmd -D -N "$1" & wait' node "$1" > "$work/log/node-$1" 2>&1 &
  nodes[$1]=$!
}

is_up() { sinfo -h -n "$1" -o %t | grep -Eqx 'idle|mix|alloc'; }
is_down() { sinfo -h -n "$1" -o %t | grep -q down; }
# An answer that does not come is none.
is_gone() {
  local left
  left=$(squeue -h -j "$1" -o %i) && [ -z "$left" ]
}

wait_for munged test -S "$work/socket/munge"
slurmctld -D > "$work/log/slurmctld-out" 2>&1 &
daemons+=($!)
wait_for slurmctld scontrol ping
start_node w1
start_node w2
wait_for "node w1" is_up w1
wait_for "node w2" is_up w2
say "two nodes up ($(slurmctld -V))"

# --- The raws: copies that differ by what stands behind their end

originals=("$root"/Fixtures/*.dng)
for ((index = 0; index < count; index++)); do
  place=$work/in/day$((index % 3))
  mkdir -p "$place"
  raw=$place/$(printf 'p%04d.dng' "$index")
  cp "${originals[index % ${#originals[@]}]}" "$raw"
  printf 'copy %d\n' "$index" >> "$raw"
done
"$rawdev" manifest "$work/in" -o "$work/in/manifest.jsonl" 2> /dev/null
check "raws in the manifest" "$count" "$(wc -l < "$work/in/manifest.jsonl")"

# --- The batch

export RAWDEV=$rawdev RAWS_PER_TASK=$(((count + tasks - 1) / tasks)) CORES_PER_TASK=1
export SBATCH_MEM_PER_NODE=2000M
submit() {
  "$root/Examples/slurm/submit.sh" "$work/in/manifest.jsonl" "$work/out" > "$work/submitted"
  say "$(cat "$work/submitted")"
  array=$(sed 's/.*array \([0-9]*\) .*/\1/' "$work/submitted")
  merge=$(sed 's/.*merge //' "$work/submitted")
}
journals=$work/out/.rawdev
pictures() { (cd "$1" && find . -name '*.heic' ! -name '.*' | sort); }
# What a batch may leave behind beside pictures.
strays() { find "$1" \( -name '.rawdev-*' -o -name '*.rawdev-tmp' \) | sort; }
# sources KIND NODE: the source of each line of this kind in the journals of a node
sources() {
  # shellcheck disable=SC2086  # $2 may be *
  cat "$journals"/journal-*@$2.jsonl 2> /dev/null |
    jq -rR --arg kind "$1" 'fromjson? | .[$kind] // empty | (._0 // .).source' | sort
}
of_job() { scontrol show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1; }
# ended STATUS: of the merged report
ended() { jq -r "select(.event == \"end\") | .$1" "$work/out/rawdev-report.jsonl"; }
finish_of() {
  wait_for "the array $array" is_gone "$array"
  wait_for "the merge $merge" is_gone "$merge"
}

submit

# in_the_middle NODE LEAST MOST: it has a picture begun and not written down, and a task with that
# many done, other than $lost, which becomes $task.
in_the_middle() {
  local index written
  while read -r task index; do
    written=$(grep -c '"done"' "$journals/journal-$index-of-"*"@$1.jsonl" || true)
    if [ "$task" = "${lost:-}" ] || [ "${written:-0}" -lt "$2" ] || [ "$written" -gt "$3" ]; then continue; fi
    [ -n "$(comm -13 <(sources "done" "$1") <(sources begin "$1"))" ] && return 0
  done < <(squeue -h -j "$array" -t R -w "$1" -o '%A %K')
  return 1
}
wait_for "work on w2" in_the_middle w2 $((RAWS_PER_TASK / 4)) $((RAWS_PER_TASK / 2))
lost=$task
first=$(pgrep -P "${nodes[w2]}")
{
  kill -KILL "${nodes[w2]}"
  wait "${nodes[w2]}" || true
} 2> /dev/null
unset 'nodes[w2]'
is_dead() { ! kill -0 "$1"; }
wait_for "the end of w2" is_dead "$first"
sources "done" w2 > "$work/written"
comm -13 "$work/written" <(sources begin w2) > "$work/unwritten"
strays "$work/out" > "$work/left"
say "w2 killed: $(wc -l < "$work/written") pictures written down, $(wc -l < "$work/unwritten")" \
  "begun and not, $(wc -l < "$work/left") unfinished files"

# Meanwhile a task of the other node is told that its time ends.
wait_for "work on w1" in_the_middle w1 1 $((RAWS_PER_TASK / 4))
told=$task
# It would repeat what has already arrived, to the next run of the task, which waits for some
# seconds.
scancel --signal=USR1 --batch "$told" > /dev/null 2>&1 &
teller=$!
is_told() { [ "$(of_job "$told" Restarts)" = 1 ]; }
wait_for "the end of the task on w1" is_told
kill "$teller" 2> /dev/null || true
say "USR1 to a task on w1"

"$rawdev" batch "$work/in" -o "$work/plain" --no-json 2> "$work/log/plain" ||
  give_up "the undisturbed batch failed"
say "undisturbed batch done"
wait_for "the loss of w2 to be noticed" is_down w2
say "w2 is down for Slurm"
finish_of
say "all done"

check "restarts of the task on the killed node" 1 "$(of_job "$lost" Restarts)"
check "restarts of the task that was told to end" 1 "$(of_job "$told" Restarts)"
check "merge's exit code" 0:0 "$(of_job "$merge" ExitCode)"
check "pictures" "$count" "$(pictures "$work/out" | wc -l)"
check "names as in the undisturbed batch" "" \
  "$(comm -3 <(pictures "$work/out") <(pictures "$work/plain"))"
differ=0
undecodable=0
while IFS= read -r name; do
  cmp -s "$work/out/$name" "$work/plain/$name" || differ=$((differ + 1))
  heif-convert --quiet "$work/out/$name" "$work/decoded.y4m" > /dev/null 2>&1 ||
    undecodable=$((undecodable + 1))
done < <(pictures "$work/out")
check "pictures that differ from those of the undisturbed batch" 0 "$differ"
check "pictures that cannot be decoded" 0 "$undecodable"
check "unfinished files left" "" "$(strays "$work/out")"
check "the report's exit code" 0 "$(ended exitCode)"
check "the report's pictures done or up to date" "$count" $(($(ended "done") + $(ended skipped)))
check "nodes that the report names" "w1 w2" \
  "$(jq -r 'select(.event == "item") | .node' "$work/out/rawdev-report.jsonl" | sort -u | xargs)"
check "pictures in the retry manifest" 0 "$(wc -l < "$work/in/manifest.retry.jsonl")"
check "the page is there" yes "$([ -s "$work/out/rawdev-report.html" ] && echo yes)"
check "sources written down as done" "$count" "$(sources "done" '*' | uniq | wc -l)"
check "sources written down as done twice" "" "$(sources "done" '*' | uniq -d)"
# Begun twice is what was in hand when a run ended, and nothing else.
sources begin '*' | uniq -d > "$work/twice"
check "begun twice without need" "" \
  "$(comm -13 <(sort "$work/unwritten") "$work/twice" | comm -12 - "$work/written")"
say "begun twice: $(wc -l < "$work/twice") ($(comm -12 "$work/unwritten" "$work/twice" | wc -l)" \
  "of them in hand on w2)"

# --- The next night: the node is back, nothing is to do

sources "done" '*' > "$work/first"
start_node w2
wait_for "node w2 again" is_up w2
submit
finish_of
check "merge's exit code, second time" 0:0 "$(of_job "$merge" ExitCode)"
check "pictures skipped, second time" "$count" "$(ended skipped)"
check "written down, second time" "" "$(sources "done" '*' | comm -3 - "$work/first")"
say "second submission done"

echo "slurm.sh: $checks checks, $failed failed"
[ "$failed" = 0 ]
