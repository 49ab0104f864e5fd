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

  /// Mean luma of each frame of a film.
  private func means(_ path: String) throws -> [Double] {
    let tools = try FilmTools()
    let child = try Child(
      [
        tools.ffmpeg, "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray10le", "pipe:1",
      ], takesInput: false, givesOutput: true)
    let bytes = try child.text(limit: 1 << 26)
    let frame = 2 * SmallRaw.size.area
    return stride(from: 0, to: bytes.count, by: frame).map { start in
      let sum = stride(from: start, to: min(start + frame, bytes.count), by: 2).reduce(0) {
        $0 + Int(bytes[$1]) + Int(bytes[$1 + 1]) << 8
      }
      return Double(sum) / Double(SmallRaw.size.area)
    }
  }

  @Test("Raws that flicker are evened, and the course of their light stays")
  func deflicker() throws {
    let files = try TestFolder()
    for frame in 0..<30 {
      let light = exp2(-0.02 * Double(frame)) * (frame % 3 == 1 ? 1.08 : 1)
      try files.write(
        SmallRaw.bytes(peak: 1.2 * Float(light)), to: "clip/frame-\(frame + 1).dng")
    }
    func changes(_ isEvened: Bool) throws -> [Double] {
      var options = try options()
      options.deflickers = isEvened
      options.coding = .quality(1)
      let path = files.file("\(isEvened).mov")
      _ = try export(FilmSession([files.file("clip")], container: .mov, options: options), path)
      let found = try means(path)
      return zip(found, found.dropFirst()).map { $1 - $0 }
    }
    func spread(_ values: [Double]) -> Double {
      let mean = values.reduce(0, +) / Double(values.count)
      return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count))
        .squareRoot()
    }
    let (before, after) = (try changes(false), try changes(true))
    #expect(spread(after) < 0.25 * spread(before), "\(spread(before)), \(spread(after))")
    let (fallen, kept) = (before.reduce(0, +), after.reduce(0, +))
    #expect(fallen < 0 && abs(kept / fallen - 1) < 0.3, "\(fallen), \(kept)")
  }

  @Test("Two key frames: what lies between runs from one to the other")
  func keyFrames() throws {
    let files = try TestFolder()
    for frame in 1...9 { try files.write(SmallRaw.bytes(peak: 1), to: "clip/f\(frame).dng") }
    try files.write("raw: {exposure: -2}\n", to: "clip/f1.dng.rawdev.yaml")
    try files.write("raw: {exposure: 0}\n", to: "clip/f9.dng.rawdev.yaml")
    var options = try options()
    options.coding = .quality(1)
    let path = files.file("a.mov")
    let report = try export(
      FilmSession([files.file("clip")], container: .mov, options: options), path)
    #expect(report.warnings.contains { $0.contains("2 key frames") })
    let found = try means(path)
    for (a, b) in zip(found, found.dropFirst()) { #expect(b > a) }
  }
}
