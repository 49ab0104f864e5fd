import Foundation
import RawFilter
import Recipes
import SystemPackage
import TestSupport
import Testing

@testable import Batch
@testable import Develop

/// Entries that a list of raws lacks, found out by workers whose raws are replies.
@Suite struct SeriesScanTests {
  /// Answers `open` by the first line of its file, and `measure` by the second; a file named
  /// `crash` ends it, and one named `slow` waits until another raw is measured.
  private static let worker = #"""
    ulimit -c 0
    printf '%s\n' '{"ready":{"version":"1"}}'
    while IFS= read -r line; do
      case $line in
      *'"openRaw"'*)
        path=$(printf '%s' "$line" | sed -e 's:\\/:/:g' -e 's:.*"path"\:"::' -e 's:".*::')
        head -n 1 "$path" ;;
      *'"measure"'*)
        printf '%s\n' "${path##*/}" >> "$1"
        case $path in *crash*) kill -SEGV $$ ;; esac
        case $path in *slow*) read _ < "$2" ;; esac
        case $path in *quick*) printf '\n' > "$2" ;; esac
        tail -n 1 "$path" ;;
      esac
    done
    """#

  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write(Array(Self.worker.utf8), to: "worker.sh")
    #expect(mkfifo(folder.file("gate"), 0o600) == 0)
  }

  private func raw(_ name: String, _ red: Double, exposure: Float, trust: Int = 2) throws {
    var info = SourceInfo.made(model: "1")
    info.series = SeriesFrame(camera: "A", light: [red, -0.5], isFlash: false)
    let replies: [WorkerReply] = [
      .opened(info), .measured(SeriesFindings(exposure: exposure), trust: trust),
    ]
    let lines = try replies.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    try folder.write(lines.joined(separator: "\n") + "\n", to: "raws/" + name)
  }

  private func entries(jobs: Int = 2, without names: Set<String> = []) throws -> [SeriesEntry] {
    var options = BatchOptions(
      output: folder.at("out"),
      worker: [
        "/bin/sh", folder.file("worker.sh"), folder.file("log"), folder.file("gate"),
      ], version: "1")
    (options.jobs, options.memoryBytes) = (jobs, 64 << 30)
    let sources = try SourceList(["raws"], workingFolder: folder.root, except: options.output)
      .sources
    let document = try RecipeDocument(text: "raw: {series: s.json}")
    let planner = SourcePlanner(
      RecipePlanner(try RecipeResolver(recipes: [document]), workingFolder: folder.root))
    let settled = Set(sources.indices.filter { names.contains(sources[$0].id) })
    return try SeriesScan(
      sources, known: [:], settled: settled, path: "s.json", planner: planner, options: options
    ).entries(CancellationToken())
  }

  private var measured: [String] {
    (TestFolder.read(folder.at("log")) ?? "").split(separator: "\n").map(String.init)
  }

  private func sources(_ entries: [SeriesEntry]) -> [String] { entries.map(\.source) }

  /// The worker that is done last decides, where its frame is the first.
  @Test func theFirstOfTheListDecides() throws {
    try raw("a-slow.dng", -1, exposure: 1)
    try raw("b-quick.dng", 0, exposure: 2)
    try raw("c.dng", -1.1, exposure: 3)
    let found = try entries()
    #expect(sources(found) == ["a-slow.dng", "b-quick.dng"])
    #expect(found.map(\.findings.exposure) == [1, 2])
    #expect(!measured.contains("c.dng"))
  }

  @Test func oneThatCannotBeDecodedDecidesNothing() throws {
    try raw("a-crash.dng", -1, exposure: 1)
    try raw("doubted.dng", -1, exposure: 2, trust: 0)
    try raw("exposed.dng", -1, exposure: .greatestFiniteMagnitude)
    try raw("fine.dng", -1, exposure: 3)
    try raw("further.dng", -1, exposure: 4)
    let found = try entries(jobs: 1)
    #expect(sources(found) == ["fine.dng"])
    #expect(Set(measured) == ["a-crash.dng", "doubted.dng", "exposed.dng", "fine.dng"])
  }

  /// For any number of workers, and any order in which shards fill in missing entries.
  @Test func workersDoNotMatter() throws {
    for index in 0..<12 {
      try raw("r\(index + 10).dng", Double(index % 4), exposure: Float(index), trust: index % 3)
    }
    let found = try entries(jobs: 1)
    // Of r10, r14, r18, with the trust 0, 1, 2, the last; and so on.
    #expect(sources(found) == ["r18.dng", "r15.dng", "r12.dng", "r21.dng"])
    #expect(try entries(jobs: 4) == found)
    // Frames with an entry are not measured again.
    try SeriesFile.add(found, to: folder.file("s.json"))
    #expect(try entries(jobs: 3).isEmpty)
    #expect(try SeriesFile.read(folder.file("s.json")).entries == found)
  }
}
