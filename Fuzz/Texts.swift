import Foundation
import SystemPackage

@testable import Batch
@testable import Recipes

/// What people and programs write: recipes, sidecars, and lines of JSON.
enum Texts {
  private static let path = Array("fuzz.yaml".utf8)
  private static let edits: [[RecipeDocument.Setting]] = [
    [.init(RecipePath(keys: "raw", "exposure"), .number(0.5))],
    [.init(RecipePath(keys: "raw", "exposure"), nil), .init(RecipePath(keys: "name"), .text("a"))],
    [.init(RecipePath(keys: "render", "crop"), .map(["width": .number(0.5)]))],
    [.init(RecipePath(keys: "raw", "whiteBalance"), .null), .init(RecipePath(keys: "raw"), nil)],
  ]

  static func recipe(_ bytes: [UInt8]) {
    guard let document = attempt({ try RecipeDocument(bytes, of: path) }) else { return }
    let problems = document.problems()
    _ = document.problems(isDefaults: true)
    _ = document.newestText
    // What is written is what was read, except for keys that no recipe has, of any length.
    for text in [RecipeText.yaml(document.values), RecipeText.json(document.values)] {
      let again = attempt { try RecipeDocument(text: text) }
      guard problems.isEmpty else { continue }
      guard again?.values == document.values else { fatalError("a recipe differs: \(text)") }
    }
    let recipe = attempt { try Recipe(LayeredRecipe([RecipeLayer(.recipe, "fuzz", document)])) }
    if let recipe { attempt { try recipe.values } }
    for settings in edits {
      attempt { try RecipeDocument.edited(bytes, of: path, with: settings) }
    }
  }

  static func sidecar(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let document = attempt({ try RecipeDocument(text: text) }) else { return }
    let layers = LayeredRecipe([RecipeLayer(.sidecar, "fuzz", document)])
    _ = RecipeExplanation(layers)
  }

  /// The files of a folder, one behind the other, a zero byte between.
  private static let files = [
    ".rawdev/defaults.yaml", "a.cr2.rawdev.yaml", "a.cr2.xmp", "a.xmp", "base.yaml", "a.cr2.pp3",
    "a.cr2.rawdev.json", ".rawdev/defaults.json", "a_01.cr2.xmp",
  ]

  static func folder(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, maxSplits: 8, omittingEmptySubsequences: false)
    for (index, name) in files.enumerated() {
      let part = index < parts.count ? Array(parts[index]) : []
      if part.isEmpty {
        ScratchFile.remove(name)
      } else {
        ScratchFile.with(part, named: name) { _ in }
      }
    }
    for name in ["a.cr2", "a.dng", "a.nef"] {
      let info = PictureInfo(
        make: "Canon", model: "Canon EOS R5", lens: "RF50mm F1.2 L USM", iso: 3200)
      let picture = RecipeResolver.Picture(
        path: Array("\(ScratchFile.folder)/\(name)".utf8), info: info, embedded: bytes)
      ScratchFile.with([0], named: name) { _ in }
      attempt { try RecipeResolver().resolve(picture) }
    }
  }

  static func journal(_ bytes: [UInt8]) {
    ScratchFile.with(bytes, named: ".rawdev/journal-fuzz.jsonl") { _ in
      let folder = FilePath(ScratchFile.folder)
      attempt { try JournalHistory(in: folder) }
      attempt { try JournalHistory(in: folder, of: ["a.dng"], writer: "fuzz") }
      attempt { try Journal(in: folder, writer: "fuzz") }
    }
  }

  static func report(_ bytes: [UInt8]) {
    ScratchFile.with(bytes, named: "report.jsonl") { path in
      // Two files of the same name have nothing new.
      if let merge = attempt({ try ReportMerge(ReportLog(paths: [path, path])) }) { write(merge) }
    }
  }

  private static func write(_ merge: ReportMerge) {
    attempt { try merge.write { _ in } }
    attempt { try merge.writeRetryManifest { _ in } }
    if let summary = attempt({ try merge.summary() }) { _ = ReportText.summary(summary) }
    let options = HTMLReport.Options(folder: "/a", workingFolder: "/")
    attempt { try HTMLReport.write(merge, options: options) { _ in } }
  }

  static func manifest(_ bytes: [UInt8]) {
    let sources = attempt {
      try Manifest.sources(in: Data(bytes), folder: "/a", name: "fuzz.jsonl")
    }
    if let sources { attempt { try Manifest.lines(sources, relativeTo: "/a") } }
  }

  static func worker(_ bytes: [UInt8]) {
    lines(bytes) { line in
      if let request = attempt({ try JSONLine.decode(WorkerRequest.self, line) }) {
        _ = request.on(threads: 2).outputs
      }
      attempt { try JSONLine.decode(WorkerReply.self, line) }
    }
  }

  static func serve(_ bytes: [UInt8]) {
    lines(bytes) { line in
      guard let request = attempt({ try JSONLine.decode(ServeRequest.self, line) }) else { return }
      attempt { try JSONLine.encode(ServeReply.progress(id: request.id, fraction: 0.5)) }
      attempt { try JSONLine.encode(ServeReply.refused(id: request.id, message: "a")) }
    }
  }

  private static func lines(_ bytes: [UInt8], _ body: (Data) -> Void) {
    var splitter = LineSplitter(maxLength: 1 << 16)
    for start in stride(from: 0, to: bytes.count, by: 1000) {
      splitter.append(bytes[start..<min(start + 1000, bytes.count)])
      while let line = splitter.next() { line.bytes.map(body) }
    }
    splitter.last()?.bytes.map(body)
  }
}
