import Develop
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// `rawdev batch` and `rawdev serve` from end to end, with real pictures.
@Suite(.serialized) struct BatchCommandTests {
  private func fixture(_ names: [[UInt8]]) throws -> TestFolder {
    let folder = try TestFolder()
    let bytes = try SmallRaw.bytes()
    for name in names {
      try TestFolder.write(bytes, to: folder.at("raws").pushing(FilePath(bytes: name)))
    }
    try folder.write("outputs: {main: {format: jpeg-sdr}}", to: "raws/.rawdev/defaults.yaml")
    return folder
  }

  private func batch(_ folder: TestFolder, _ more: String...) throws -> RawdevProcess {
    try RawdevProcess(["batch", "raws", "-o", "out"] + more, in: folder.root)
  }

  @Test func repeatedBatches() throws {
    let names: [[UInt8]] = [
      Array("a b.dng".utf8), Array("new\nline.dng".utf8), [0xFF, 0xFE] + Array(".dng".utf8),
      Array("sub/é.dng".utf8),
    ]
    let folder = try fixture(names)
    try folder.write("no raw", to: "raws/bad.dng")
    let first = try batch(folder)
    #expect(first.code == 3 && first.items.count == 5, "\(first.stderr)")
    for (id, item) in first.items {
      #expect((item.status == .done) == (id != "bad.dng"), "\(item)")
    }
    let made = try folder.names("out")
    #expect(made.count == 6 && made.contains("rawdev-report.html") && made.contains("sub/é.jpg"))
    // The same pixels make the same file.
    #expect(Set(first.items.values.flatMap { $0.outputs.map(\.xxh128) }).count == 1)
    let before = try folder.listing("out/sub")
    let second = try batch(folder, "--verify")
    #expect(second.code == 3 && second.items.values.count { $0.reason == "verified" } == 4)
    #expect(try folder.listing("out/sub") == before)
    // One sidecar, one picture.
    try folder.write("raw: {exposure: 1}", to: "raws/a b.dng.rawdev.yaml")
    let third = try batch(folder)
    #expect(third.items.values.filter { $0.status == .done }.map(\.id) == ["a b.dng"])
    let planned = try batch(folder, "--dry-run", "--set", "raw.exposure=2")
    #expect(planned.items.values.count { $0.status == .planned } == 4 && planned.code == 3)
    #expect(try folder.listing("out/sub") == before)
  }

  @Test func batchesOfDNGs() throws {
    let folder = try fixture((0..<6).map { Array("\($0).dng".utf8) })
    try folder.write("no raw", to: "raws/bad.dng")
    let options = ["batch", "raws", "-o", "out", "--format", "dng", "--jobs", "1", "--no-report"]
    _ = try RawdevProcess(options, in: folder.root, signal: SIGKILL, afterItems: 2)
    let planned = try RawdevProcess(options + ["--dry-run"], in: folder.root)
    let first = try RawdevProcess(options, in: folder.root)
    #expect(
      planned.items.filter { $0.value.status == .planned }.keys
        == first.items.filter { $0.value.status == .done }.keys)
    #expect(first.code == 3 && first.items["bad.dng"]?.status == .failed, "\(first.stderr)")
    #expect(first.items.values.contains { $0.status == .skipped })
    #expect(try folder.names("out") == (0..<6).map { "\($0).dng" })
    // Settings of a sidecar are not applied in a DNG.
    try folder.write("raw: {exposure: 1}", to: "raws/1.dng.rawdev.yaml")
    let second = try RawdevProcess(options, in: folder.root)
    #expect(second.items.values.count { $0.status == .skipped } == 6, "\(second.output)")
    let other = try RawdevProcess(options + ["--dng-compression", "none"], in: folder.root)
    let done = other.items.values.filter { $0.status == .done }
    #expect(done.count == 6 && done.allSatisfy { $0.outputs.map(\.format) == ["dng"] })
    #expect(done.flatMap { $0.notes ?? [] }.count == 1)
  }

  @Test(arguments: [SIGTERM, SIGKILL]) func batchesContinueAfterSignals(signal: Int32) throws {
    let names = (0..<12).map { "\($0).dng" }
    let folder = try fixture(names.map { Array($0.utf8) })
    // Cut off after the second of twelve. It has written at most the capacity of the pipe: a few
    // lines more.
    let first = try RawdevProcess(
      ["batch", "raws", "-o", "out", "--jobs", "1", "--no-report"], in: folder.root,
      signal: signal, afterItems: 2)
    #expect(first.code == (signal == SIGTERM ? 75 : -SIGKILL), "\(first.stderr)")
    let all = try folder.names("out")
    let made = all.filter { !$0.hasPrefix(".") }
    #expect(made.count >= 2 && made.count < names.count)
    if signal == SIGTERM {
      // The rest is named, and no partial file is left.
      #expect(first.items.count == names.count && made.count == all.count)
      #expect(first.items.values.count { $0.status == .interrupted } == names.count - made.count)
    }
    let before = try folder.listing("out").filter { !$0.contains("/.rawdev") }
    let second = try RawdevProcess(["batch", "raws", "-o", "out", "--no-report"], in: folder.root)
    #expect(second.code == 0, "\(second.stderr)")
    #expect(second.items.values.count { $0.status == .skipped } >= made.count)
    let after = try folder.listing("out")
    #expect(before.allSatisfy(after.contains))
    #expect(try folder.names("out") == names.map { $0.replacing(".dng", with: ".jpg") }.sorted())
    let digests = Set(
      after.compactMap { line -> Substring? in
        line.contains(".jpg ") ? line.split(separator: " ").last : nil
      })
    #expect(digests.count == 1)
  }

  @Test func exitCodes() throws {
    let folder = try fixture([Array("a.dng".utf8)])
    try folder.write("{\"in\": \"raws/a.dng\"}\nnonsense\n", to: "list.jsonl")
    try folder.write("x", to: "file")
    try folder.write("no raw", to: "bad.dng")
    let runs: [([String], Int32)] = [
      (["batch", "-o", "out"], 2), (["batch", "raws", "-o", "out", "--shard", "3/2"], 2),
      (["batch", "raws", "-o", "out", "--memory", "x"], 2),
      (["batch", "--manifest", "list.jsonl", "-o", "out"], 65),
      (["batch", "raws", "-o", "file"], 73),
      (["batch", "raws", "-o", "out"], 0), (["batch", "raws", "bad.dng", "-o", "out"], 3),
      (["batch", "bad.dng", "-o", "out"], 4),
    ]
    for (arguments, code) in runs {
      let run = try RawdevProcess(arguments, in: folder.root)
      #expect(run.code == code, "\(arguments): \(run.stderr)")
      // The exit code in reports is the shell's exit code.
      for case .end(let end) in run.events { #expect(end.exitCode == Int(code)) }
    }
  }

  @Test func filesThatCannotBePlannedFailAlone() throws {
    let sidecars = [
      "outputs: {main: {format: jpeg-sdr, name: \(String(repeating: "n", count: 300))}}",
      "outputs: {main: {format: jpeg-sdr, name: n}, b: {format: jpeg-sdr, name: n}}",
      "outputs: {main: {format: dng, name: c}}",
    ]
    // The DNG of the third would replace the last.
    let files = ["0.dng", "1.dng", "2.dng", "3.dng", "c.dng"]
    let names = files.map { "raws/\($0)" }
    let folder = try fixture(files.map { Array($0.utf8) })
    for (index, sidecar) in sidecars.enumerated() {
      try folder.write(sidecar, to: "raws/\(index).dng.rawdev.yaml")
    }
    let run = try RawdevProcess(["develop", "--json"] + names, in: folder.root)
    #expect(run.code == 3, "\(run.stderr)")
    #expect(folder.read("raws/3.jpg") != nil)
    for name in names[..<3] { #expect(run.stderr.contains(name)) }
    let one = try RawdevProcess(["develop", names[0]], in: folder.root)
    #expect(one.code == 2)
  }

  @Test func servingStandardInput() throws {
    let folder = try fixture([Array("a.dng".utf8)])
    let request = #"{"id": "1", "in": "\#(folder.at("raws/a.dng"))"}"#
    // More replies than a pipe holds, and a last line without an end.
    let input = String(repeating: "{}\n", count: 5000) + request
    let run = try RawdevProcess(
      ["serve", "-o", "out", "--set", "outputs.main.format=jpeg"], in: folder.root, input: input)
    #expect(run.code == 0, "\(run.stderr)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count { $0.contains("\"refused\"") } == 5000)
    #expect(run.items["1"]?.status == .done && folder.read("out/a.jpg") != nil)
  }
}
