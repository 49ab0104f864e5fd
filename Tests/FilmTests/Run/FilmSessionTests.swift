import Formats
import Foundation
import ImageCore
import Recipes
import TestSupport
import Testing

@testable import Film

/// Films of small simulated raws. Need ffmpeg.
@Suite(.enabled(if: (try? FilmTools()) != nil)) struct FilmSessionTests {
  /// A folder of `count` raws, which grow brighter.
  private func clip(_ files: TestFolder, _ count: Int) throws -> String {
    for index in 0..<count {
      try files.write(
        SmallRaw.bytes(peak: 1 + 0.05 * Float(index)), to: "clip/frame-\(index + 1).dng")
    }
    return files.file("clip")
  }

  private func options() throws -> FilmOptions {
    var options = FilmOptions()
    options.segmentFrames = 4
    options.resolver = try RecipeResolver()
    return options
  }

  private func export(_ session: FilmSession, _ path: String) throws -> FilmReport {
    try session.export(to: .file(URL(fileURLWithPath: path), existing: .replace))
  }

  @Test("A folder of raws becomes HLG of the size of its frames")
  func folder() throws {
    let files = try TestFolder()
    let session = try FilmSession([clip(files, 6)], container: .mov, options: options())
    let plan = try session.plan()
    #expect(plan.frames == 6 && plan.rate == "24000/1001" && plan.coding.contains("hlg"))
    #expect(plan.warnings.contains { $0.contains("24000/1001") })
    let report = try export(session, files.file("a.mov"))
    #expect(report.frames == 6 && report.badFrames.isEmpty && report.resumedFrames == 0)
    #expect(report.width == SmallRaw.size.width && report.height == SmallRaw.size.height)
    #expect(files.names == ["a.mov", "clip"])
  }

  @Test("A run that was cancelled goes on, and gives the same bytes")
  func resumed() throws {
    let files = try TestFolder()
    let session = try FilmSession([clip(files, 10)], container: .mp4, options: options())
    _ = try export(session, files.file("a.mp4"))
    let whole = try Data(contentsOf: URL(fileURLWithPath: files.file("a.mp4")))
    try FileManager.default.removeItem(atPath: files.file("a.mp4"))
    let cancellation = Cancellation()
    #expect(throws: (any Error).self) {
      try cancellation.run {
        _ = try session.export(to: .file(URL(fileURLWithPath: files.file("a.mp4")))) { progress in
          if case .frames(let done, _) = progress, done == 9 { cancellation.cancel() }
        }
      }
    }
    #expect(!files.names.contains("a.mp4") && files.names.contains(".a.mp4.rawdev-film"))
    let report = try export(session, files.file("a.mp4"))
    #expect(report.resumedFrames >= 4)
    #expect(try Data(contentsOf: URL(fileURLWithPath: files.file("a.mp4"))) == whole)
  }

  @Test(
    "A bad frame is named and, as chosen, held, left out or the end",
    arguments: FilmOptions.BadFrames.allCases)
  func badFrames(_ choice: FilmOptions.BadFrames) throws {
    let files = try TestFolder()
    let folder = try clip(files, 7)
    try files.write("nonsense", to: "clip/frame-6.dng")
    var options = try options()
    options.badFrames = choice
    let report = try export(
      FilmSession([folder], container: .mov, options: options), files.file("a.mov"))
    #expect(report.badFrames.count == 1 && report.badFrames[0].path.hasSuffix("frame-6.dng"))
    let frames: [FilmOptions.BadFrames: Int] = [.hold: 7, .leave: 6, .end: 5]
    #expect(report.frames == frames[choice])
  }

  @Test("The film is none of its inputs, and a codec that its file does not hold is refused early")
  func refusals() throws {
    let files = try TestFolder()
    let folder = try clip(files, 2)
    var options = try options()
    options.codec = .av1
    #expect(throws: FilmError.self) {
      try FilmSession([folder], container: .mov, options: options).plan()
    }
    #expect(throws: FilmError.self) {
      try FilmSession([files.file("nothing")], container: .mov, options: options).plan()
    }
  }

  @Test("A film is converted: its frames, its rate, its range")
  func movies() throws {
    let files = try TestFolder()
    var options = try options()
    options.format = .pq
    _ = try export(
      FilmSession([clip(files, 5)], container: .mov, options: options), files.file("pq.mov"))
    let again = try FilmSession([files.file("pq.mov")], container: .mp4, options: self.options())
    #expect(try again.plan().coding.contains("pq"))
    let kept = try export(again, files.file("pq.mp4"))
    #expect(kept.frames == 5 && kept.maxCLL != nil)
    var sdr = try self.options()
    sdr.format = .sdr
    sdr.codec = .h264
    let report = try export(
      FilmSession([files.file("pq.mov"), files.file("clip")], container: .mp4, options: sdr),
      files.file("sdr.mp4"))
    #expect(report.frames == 10 && report.maxCLL == nil)
  }
}
