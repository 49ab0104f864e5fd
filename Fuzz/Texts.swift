import Foundation
import SystemPackage

@testable import Batch
@testable import Recipes

/// What people and programs write: recipes, sidecars, and lines of JSON.
enum Texts {
  static func recipe(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let document = try? RecipeDocument(text: text) else { return }
    _ = try? Recipe(LayeredRecipe([RecipeLayer(.recipe, "fuzz", document)]))
  }

  static func sidecar(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let document = try? RecipeDocument(text: text) else { return }
    let layers = LayeredRecipe([RecipeLayer(.sidecar, "fuzz", document)])
    _ = RecipeExplanation(layers)
  }

  static func journal(_ bytes: [UInt8]) {
    ScratchFile.with(bytes, named: ".rawdev/journal-fuzz.jsonl") { _ in
      _ = try? JournalHistory(in: FilePath(ScratchFile.folder))
    }
  }

  static func report(_ bytes: [UInt8]) {
    guard let merge = try? ReportMerge(ReportLog(bytes: [Data(bytes)])) else { return }
    try? merge.write { _ in }
    try? merge.writeRetryManifest { _ in }
  }

  static func worker(_ bytes: [UInt8]) {
    lines(bytes) {
      _ = try? JSONLine.decode(WorkerRequest.self, $0)
      _ = try? JSONLine.decode(WorkerReply.self, $0)
    }
  }

  static func serve(_ bytes: [UInt8]) {
    lines(bytes) { _ = try? JSONLine.decode(ServeRequest.self, $0) }
  }

  private static func lines(_ bytes: [UInt8], _ body: (Data) -> Void) {
    var splitter = LineSplitter(maxLength: 1 << 16)
    for piece in stride(from: 0, to: bytes.count, by: 1000) {
      splitter.append(bytes[piece..<min(piece + 1000, bytes.count)])
      while let line = splitter.next() { line.bytes.map(body) }
    }
  }
}
