import Foundation
import SystemPackage

@testable import Batch

/// A worker that is a shell script: it makes its outputs of the bytes of the source, and what goes wrong is in
/// the source's name. Every request leaves a line in `log`.
struct FakeWorker: Sendable {
  let folder: FilePath
  /// Executable and arguments.
  var command: [String] { ["/bin/sh", folder.appending("worker.sh").string] }

  init(in folder: FilePath) throws {
    self.folder = folder
    try TestFolder.write(Array(Self.script.utf8), to: folder.appending("worker.sh"))
  }

  /// What was asked of all workers: `open NAME`, `develop NAME`, `digest`.
  var log: [String] {
    (TestFolder.read(folder.appending("log")) ?? "").split(separator: "\n").map(String.init)
  }

  /// Names that were developed since the log was last forgotten, sorted.
  var developed: [String] {
    log.filter { $0.hasPrefix("develop ") }.map { String($0.dropFirst(8)) }.sorted()
  }

  func forget() { Folders.remove(folder.appending("log")) }

  /// Works until its input ends. A reply `ready` comes first, unless there is a file `die` beside it.
  private static let script = #"""
    ulimit -c 0
    set -f
    here=${0%/*}
    if [ -e "$here/die" ]; then echo "cannot load libraw.so" >&2; exit 127; fi
    say() { printf '%s\n' "$1"; }
    sum() { sha256sum <"$1" | cut -c1-64; }
    say '{"ready":{"version":"fake"}}'
    while IFS= read -r line; do
      line=$(printf '%s' "$line" | sed 's:\\/:/:g')
      case $line in
      '{"open"'*)
        path=${line#*\"path\":\"}
        path=${path%\"\}\}}
        name=${path##*/}
        echo "open $name" >>"$here/log"
        pixels=1000
        case $name in
        damaged*)
          say '{"failed":{"_0":{"code":"damaged","message":"ends early; copy it again"}}}'
          continue ;;
        vanish*)
          say '{"failed":{"_0":{"code":"cannotRead","message":"cannot open the file"}}}'
          continue ;;
        early-crash*) kill -SEGV $$ ;;
        deaf*) exec sleep 60 ;;
        esac
        case $name in *-px*) pixels=${name##*-px} ;; esac
        say '{"opened":{"_0":{"sha256":"'$(sum "$path")'","make":"Fake","orientation":1,"profiles":[],"pixels":'$pixels',"aspect":1.5,"hasLensCorrections":false}}}'
        ;;
      '{"digest"'*)
        echo "digest" >>"$here/log"
        rest=${line#*\[}
        rest=${rest%\]*}
        replies=
        IFS=,
        for file in $rest; do
          file=${file#\"}
          file=${file%\"}
          replies="$replies,{\"sha256\":\"$(sum "$file")\"}"
        done
        unset IFS
        say '{"digests":{"_0":['"${replies#,}"']}}'
        ;;
      '{"develop"'*)
        echo "develop $name" >>"$here/log"
        threads=${line#*\"threads\":}
        echo "threads ${threads%%[!0-9]*} $name" >>"$here/log"
        warnings=
        staged=${line#*\"staged\":\{}
        staged=${staged%%\}*}
        case $name in
        crash*) echo "bad block 7" >&2; kill -SEGV $$ ;;
        quit*) exit 3 ;;
        killed*) kill -KILL $$ ;;
        once*) if [ ! -e "$here/$name.tried" ]; then : >"$here/$name.tried"; kill -KILL $$; fi ;;
        noisy*) head -c 300000 /dev/zero | tr '\0' 'x' >&2; printf '\nthe last word\n' >&2; kill -SEGV $$ ;;
        hang*) : >"$here/hangs"; exec sleep 60 ;;
        mute*) exec 2>&-; sleep 0.5 ;;
        hog*) x=$(head -c 400000000 /dev/zero | tr '\0' x); exec sleep 60 ;;
        full*) say '{"failed":{"_0":{"code":"diskFull","message":"the disk is full"}}}'; continue ;;
        garbage*) say 'libsomething: hello'; say '{"nonsense":1}'; say ''; printf '\377\376\n' ;;
        long*) warnings='"'$(head -c 200000 /dev/zero | tr '\0' w)'"' ;;
        slow*)
          echo "begin $name" >>"$here/log"
          sleep 0.6
          echo "end $name" >>"$here/log" ;;
        busy*)
          echo "begin $name" >>"$here/log"
          sleep 0.2
          echo "end $name" >>"$here/log" ;;
        edited*) echo more >>"$path" ;;
        share*) say '{"progress":{"fraction":0.5}}' ;;
        esac
        outputs=
        IFS=,
        for pair in $staged; do
          key=${pair%%\":*}
          key=${key#\"}
          file=${pair#*\":\"}
          file=${file%\"}
          case $name in partial*)
            : >"${file%/*}/.${file##*/}.rawdev-tmp"
            : >"$file"
            kill -SEGV $$ ;;
          esac
          { echo "$key of"; cat "$path"; } >"$file"
          outputs="$outputs,{\"name\":\"$key\",\"path\":\"$file\",\"format\":\"jpeg\",\"width\":3,\"height\":2"
          outputs="$outputs,\"bytes\":$(($(wc -c <"$file"))),\"sha256\":\"$(sum "$file")\""
          outputs="$outputs,\"contentHeadroom\":1,\"maxCLL\":203,\"maxFALL\":20}"
        done
        unset IFS
        case $name in lie*) rm -f "$file" ;; esac
        say '{"developed":{"_0":{"outputs":['"${outputs#,}"'],"warnings":['"$warnings"'],"fileHeadroom":1,"peakBytes":1}}}'
        case $name in last*) kill -KILL $$ ;; esac
        ;;
      esac
    done
    """#
}
