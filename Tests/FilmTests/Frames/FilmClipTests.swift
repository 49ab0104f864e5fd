import TestSupport
import Testing

@testable import Film

struct FilmClipTests {
  @Test("A folder of raws is one clip in the order of its numbers; gaps are named")
  func folder() throws {
    let folder = try TestFolder()
    for name in ["f10.dng", "f2.dng", "f3.dng", ".f4.dng", "note.txt", "p.jpg"] {
      try folder.write("x", to: "clip/\(name)")
    }
    let clips = try FilmClip.clips([folder.file("clip")], .number)
    #expect(clips.count == 1 && clips[0].kind == .raws)
    #expect(
      clips[0].paths.map { $0.split(separator: "/").last } == ["f2.dng", "f3.dng", "f10.dng"])
    #expect(
      clips[0].notes.contains { $0.hasPrefix("6 numbers are missing") && $0.contains("4 to 9") })
    #expect(clips[0].notes.contains { $0.contains("1 finished pictures") })
  }

  @Test("Files of one kind that follow each other are one clip, each movie is its own")
  func files() throws {
    let folder = try TestFolder()
    let names = ["a.dng", "b.CR2", "c.jpg", "d.heic", "e.mov", "f.mp4", "g.png"]
    let paths = try names.map { try folder.write("x", to: $0) }
    let clips = try FilmClip.clips(paths, .number)
    #expect(clips.map(\.kind) == [.raws, .stills, .movie, .movie, .stills])
    #expect(clips.map(\.paths.count) == [2, 2, 1, 1, 1])
  }

  @Test("What is not there, and folders without pictures, are refused by name")
  func refusals() throws {
    let folder = try TestFolder()
    try folder.write("x", to: "empty/note.txt")
    for path in ["missing.dng", "empty"] {
      let error = #expect(throws: FilmError.self) {
        try FilmClip.clips([folder.file(path)], .number)
      }
      #expect(error?.code == .cannotRead && error?.path == folder.file(path))
    }
  }
}
