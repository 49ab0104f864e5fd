import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// A worker that is a shell script: it makes its outputs from the bytes of the source, and the
/// source's name selects a failure. Every step appends a line to `log` and is an event that a test
/// can wait for; a source that is held stops in the middle of its development until it is released.
final class FakeWorker: Sendable {
  let folder: FilePath
  /// Executable and arguments.
  var command: [String] { ["/bin/sh", folder.appending("worker.sh").string] }

  /// A named pipe with a line for each event; read and written by this process, so that no end
  /// blocks.
  var events: FileDescriptor { pipe.file }
  private let pipe: Descriptor
  private let seen = Mutex((lines: LineReader(), all: [String]()))
  private let holds = Mutex([String: FileDescriptor]())

  init(in folder: FilePath) throws {
    self.folder = folder
    try TestFolder.write(Array(Self.script.utf8), to: folder.appending("worker.sh"))
    pipe = Descriptor(try Self.namedPipe(folder.appending("events")))
  }

  deinit { holds.withLock { for descriptor in $0.values { try? descriptor.close() } } }

  private static func namedPipe(_ path: FilePath) throws -> FileDescriptor {
    try #require(mkfifo(path.string, 0o600) == 0)
    return try FileDescriptor.open(path, .readWrite, options: [.nonBlocking, .closeOnExec])
  }

  /// All events so far, without waiting.
  func happened() -> [String] {
    seen.withLock { seen in
      _ = seen.lines.read(from: events)
      while let line = seen.lines.next() { seen.all.append(String(decoding: line, as: UTF8.self)) }
      return seen.all
    }
  }

  /// Waits for an event, a line of `log`. Fails where it does not occur within minutes, at any
  /// load of the machine.
  func wait(for event: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let deadline = ContinuousClock.now + .seconds(300)
    while !happened().contains(event) {
      _ = Poll.readable([events], milliseconds: 1000)
      try #require(
        ContinuousClock.now < deadline, "no worker came to \"\(event)\", only \(happened())",
        sourceLocation: sourceLocation)
    }
  }

  /// Makes the development of the source `name` stop until ``release(_:)``. Its events are `begin
  /// NAME` where it stops and `end NAME` afterwards.
  func hold(_ name: String) throws {
    let descriptor = try Self.namedPipe(folder.appending("hold-" + name))
    holds.withLock { $0[name] = descriptor }
  }

  func release(_ name: String) {
    holds.withLock { holds in
      if let descriptor = holds[name] { _ = try? descriptor.writeAll([10]) }
    }
  }

  /// All requests to all workers: `open NAME`, `develop NAME`, `digest`.
  var log: [String] {
    (TestFolder.read(folder.appending("log")) ?? "").split(separator: "\n").map(String.init)
  }

  /// Names that were developed since the log was last forgotten, sorted.
  var developed: [String] {
    log.filter { $0.hasPrefix("develop ") }.map { String($0.dropFirst(8)) }.sorted()
  }

  func forget() {
    Folders.remove(folder.appending("log"))
    _ = happened()
    seen.withLock { $0.all = [] }
  }

  /// Works until its input ends. A reply `ready` comes first, unless there is a file `die` in its
  /// folder.
  private static let script = #"""
    ulimit -c 0
    set -f
    here=${0%/*}
    if [ -e "$here/die" ]; then echo "cannot load libraw.so" >&2; exit 127; fi
    say() { printf '%s\n' "$1"; }
    note() {
      echo "$1" >>"$here/log"
      printf '%s\n' "$1" >"$here/events"
    }
    sum() { xxh128sum <"$1" | cut -c1-32; }
    nothing='"warnings":[],"fileHeadroom":1,"peakBytes":1'
    say '{"ready":{"version":"fake"}}'
    while IFS= read -r line; do
      line=$(printf '%s' "$line" | sed 's:\\/:/:g')
      case $line in
      '{"open"'*)
        path=${line#*\"path\":\"}
        path=${path%\"\}\}}
        name=${path##*/}
        note "open $name"
        pixels=1000
        case $name in
        damaged*)
          say '{"failed":{"_0":{"code":"damaged","message":"ends early; copy it again"}}}'
          continue ;;
        vanish*)
          say '{"failed":{"_0":{"code":"cannotRead","message":"cannot open the file"}}}'
          continue ;;
        early-crash*) kill -SEGV $$ ;;
        digests*) say '{"digests":{"_0":[]}}'; continue ;;
        hasty*) say '{"developed":{"_0":{"outputs":[],'"$nothing"'}}}'; continue ;;
        deaf*) exec sleep 600 ;;
        esac
        case $name in *-px*) pixels=${name##*-px} ;; esac
        camera='"make":"Fake","orientation":1,"profiles":[],"aspect":1.5,"hasLensCorrections":false'
        opened='{"opened":{"_0":{"xxh128":"'$(sum "$path")'","pixels":'$pixels,"$camera"'}}}'
        say "$opened"
        ;;
      '{"digest"'*)
        note "digest"
        rest=${line#*\[}
        rest=${rest%\]*}
        replies=
        IFS=,
        for file in $rest; do
          file=${file#\"}
          file=${file%\"}
          replies="$replies,{\"xxh128\":\"$(sum "$file")\"}"
        done
        unset IFS
        say '{"digests":{"_0":['"${replies#,}"']}}'
        ;;
      '{"develop"'*)
        note "develop $name"
        threads=${line#*\"threads\":}
        note "threads ${threads%%[!0-9]*} $name"
        warnings=
        staged=${line#*\"staged\":\{}
        staged=${staged%%\}*}
        # Damaged by an earlier file.
        if [ -n "$poisoned" ]; then echo "corrupted size" >&2; kill -ABRT $$; fi
        case $name in
        poison*) poisoned=1 ;;
        crash*) echo "bad block 7" >&2; kill -SEGV $$ ;;
        quit*) exit 3 ;;
        killed*) kill -KILL $$ ;;
        once*) if [ ! -e "$here/$name.tried" ]; then : >"$here/$name.tried"; kill -KILL $$; fi ;;
        noisy*) head -c 300000 /dev/zero | tr '\0' 'x' >&2
          printf '\nthe last word\n' >&2; kill -SEGV $$ ;;
        hang*) exec sleep 600 ;;
        mute*) exec 2>&- ;;
        shut*) exec >&-; exec sleep 600 ;;
        twice*) say "$opened"; continue ;;
        hog*)
          x=$(head -c 400000000 /dev/zero | tr '\0' x)
          # With all its memory, until it is killed.
          mkfifo "$here/nothing-$$"
          read -r _ <"$here/nothing-$$" ;;
        full*) say '{"failed":{"_0":{"code":"diskFull","message":"the disk is full"}}}'; continue ;;
        garbage*) say 'libsomething: hello'; say '{"nonsense":1}'; say ''; printf '\377\376\n' ;;
        long*) warnings='"'$(head -c 200000 /dev/zero | tr '\0' w)'"' ;;
        edited*) echo more >>"$path" ;;
        share*) say '{"progress":{"fraction":0.5}}' ;;
        esac
        if [ -p "$here/hold-$name" ]; then
          note "begin $name"
          read -r _ <"$here/hold-$name"
          note "end $name"
        fi
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
          outputs="$outputs,{\"name\":\"$key\",\"path\":\"$file\",\"format\":\"jpeg\""
          outputs="$outputs,\"width\":3,\"height\":2"
          outputs="$outputs,\"bytes\":$(($(wc -c <"$file"))),\"xxh128\":\"$(sum "$file")\""
          outputs="$outputs,\"contentHeadroom\":1,\"maxCLL\":203,\"maxFALL\":20}"
        done
        unset IFS
        case $name in lie*) rm -f "$file" ;; less*) outputs= ;; esac
        info='"warnings":['"$warnings"'],"fileHeadroom":1,"peakBytes":1'
        say '{"developed":{"_0":{"outputs":['"${outputs#,}"'],'"$info"'}}}'
        case $name in
        last*) kill -KILL $$ ;;
        reported*) note "reported $name" ;;
        spin*) while :; do :; done ;;
        esac
        ;;
      esac
    done
    """#
}
