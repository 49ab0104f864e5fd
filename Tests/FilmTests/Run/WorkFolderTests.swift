import Foundation
import TestSupport
import Testing
import Writers

@testable import Film

struct WorkFolderTests {
  private func folder(
    _ film: String, plan: String = "a", keeps: Bool = true
  ) throws -> WorkFolder {
    try WorkFolder(film, container: .mov, plan: plan, keeps: keeps)
  }

  private func done(_ index: Int, _ work: WorkFolder) throws {
    try Data([1]).write(to: URL(fileURLWithPath: work.part(index)))
    try work.finish(
      index,
      SegmentRecord(frames: 8, light: CodedContentLight(maximum: 10, frameAverage: 1)))
  }

  @Test("Segments that are done stay for the next run of the same plan alone")
  func resume() throws {
    let files = try TestFolder()
    let film = files.file("a.mov")
    let first = try folder(film)
    try done(0, first)
    try Data([2]).write(to: URL(fileURLWithPath: first.part(1)))
    #expect(first.record(0)?.frames == 8 && first.record(1) == nil)
    first.leave()
    let second = try folder(film)
    #expect(second.record(0)?.light.maximum == 10)
    #expect(!FileManager.default.fileExists(atPath: second.part(1)))
    second.leave()
    let other = try folder(film, plan: "b")
    #expect(other.record(0) == nil)
    try done(0, other)
    other.leave()
    let fresh = try folder(film, plan: "b", keeps: false)
    #expect(fresh.record(0) == nil)
    fresh.remove()
    #expect(files.names.isEmpty)
  }

  @Test("Two runs do not share it, and a link in its place is refused")
  func refusals() throws {
    let files = try TestFolder()
    let film = files.file("a.mov")
    let first = try folder(film)
    #expect(throws: FilmError.self) { try folder(film) }
    first.remove()
    try FileManager.default.createSymbolicLink(
      atPath: files.file(".b.mov.rawdev-film"), withDestinationPath: files.path)
    #expect(throws: FilmError.self) { try folder(files.file("b.mov")) }
  }

  @Test("Only files of its own are removed")
  func strangers() throws {
    let files = try TestFolder()
    let work = try folder(files.file("a.mov"))
    try files.write("x", to: ".a.mov.rawdev-film/letter.txt")
    work.remove()
    #expect(
      FileManager.default.fileExists(atPath: files.file(".a.mov.rawdev-film/letter.txt")))
  }
}
