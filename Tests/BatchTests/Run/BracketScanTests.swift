import Foundation
import ImageCore
import SystemPackage
import TestSupport
import Testing

@testable import Batch
@testable import Develop

@Suite struct BracketScanTests {
  /// Its raws are replies of a worker, which it returns; one named `crash` ends it.
  private static let worker = #"""
    ulimit -c 0
    printf '%s\n' '{"ready":{"version":"1"}}'
    while IFS= read -r line; do
      path=$(printf '%s' "$line" | sed -e 's:\\/:/:g' -e 's:.*"path"\:"::' -e 's:".*::')
      case $path in */crash*) kill -SEGV $$ ;; esac
      cat "$path"
    done
    """#

  /// A raw of a bracket of the camera that was taken at this second of a minute.
  private func reply(_ second: Int, _ time: UInt32) throws -> [UInt8] {
    var metadata = CaptureMetadata(entries: [
      ExifEntry(.exif, 0x829A, .rationals([Rational(1, time)])),
      ExifEntry(.exif, 0x829D, .rationals([Rational(8, 1)])),
    ])
    metadata[.exif, 0xA402] = .shorts([2])
    let info = SourceInfo(
      xxh128: "", make: "rawdev", model: "SR-1", lens: nil, iso: 100,
      date: "2026:06:21 10:00:\(second < 10 ? "0" : "")\(second)", orientation: 1, profiles: [],
      pixels: 24_000_000, aspect: 1.5, hasLensCorrections: false,
      exposure: ExposureInfo(metadata))
    return [UInt8](try JSONEncoder().encode(WorkerReply.opened(info))) + [10]
  }

  private func joined(
    _ raws: [String: [UInt8]], cancellation: CancellationToken = CancellationToken()
  ) throws -> [RawSource] {
    let folder = try TestFolder()
    try folder.write(Array(Self.worker.utf8), to: "worker.sh")
    for (name, bytes) in raws { try folder.write(bytes, to: "raws/" + name) }
    var options = BatchOptions(
      output: folder.at("out"), worker: ["/bin/sh", folder.file("worker.sh")], version: "1")
    (options.jobs, options.memoryBytes) = (2, 64 << 30)
    let sources = try SourceList(
      ["raws"], workingFolder: folder.root, except: options.output
    ).sources
    return try BracketScan(sources, options: options, cancellation: cancellation).joined()
  }

  private func names(_ sources: [RawSource]) -> [String: [String]] {
    var names: [String: [String]] = [:]
    for source in sources {
      names[source.id] = source.frames.map { $0.lastComponent?.string ?? "" }
    }
    return names
  }

  @Test func framesBecomeOneSourceAtThePlaceOfTheirReference() throws {
    let found = try joined([
      "a.dng": reply(1, 100), "b.dng": reply(2, 400), "c.dng": reply(3, 25),
      "z.dng": reply(40, 100),
    ])
    #expect(names(found) == ["a.dng": ["b.dng", "a.dng", "c.dng"], "z.dng": []])
  }

  @Test func aRawThatCannotBeReadStaysAlone() throws {
    let found = try joined([
      "a.dng": reply(1, 100), "b.dng": reply(2, 400), "c.dng": reply(3, 25),
      "crash.dng": reply(4, 50),
      "damaged.dng": Array(#"{"failed":{"_0":{"code":"damaged","message":"cut"}}}"#.utf8) + [10],
    ])
    #expect(
      names(found) == ["a.dng": ["b.dng", "a.dng", "c.dng"], "crash.dng": [], "damaged.dng": []])
  }

  @Test func nothingIsJoinedOfNothing() throws {
    #expect(try joined(["a.dng": reply(1, 100), "b.dng": reply(40, 400)]).count == 2)
  }
}
