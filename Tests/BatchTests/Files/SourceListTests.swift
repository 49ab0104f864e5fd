import Develop
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

@Suite struct SourceListTests {
  private func list(
    _ folder: TestFolder, _ inputs: [FilePath] = ["."], except: FilePath? = nil,
    isFlat: Bool = false
  ) throws -> SourceList {
    try SourceList(inputs, workingFolder: folder.root, except: except, isFlat: isFlat)
  }

  @Test func foldersAreMirroredInOrder() throws {
    let folder = try TestFolder()
    for name in [
      "b/2.cr2", "b/10.CR2", "a.nef", "c/d/x.dng", "b.arw", "Z.dng", "notes.txt", "x.jpg",
    ] {
      try folder.write(name, to: name)
    }
    let found = try list(folder)
    #expect(
      found.sources.map(\.relativePath.string) == [
        "Z.dng", "a.nef", "b/10.CR2", "b/2.cr2", "b.arw", "c/d/x.dng",
      ])
    #expect(found.sources.map(\.id) == found.sources.map(\.relativePath.text))
    #expect(found.sources.allSatisfy { $0.path == folder.root.pushing($0.relativePath) })
    #expect(found.passedOver == 2 && found.failures.isEmpty)
  }

  @Test func foldersBelowAreLeftOutUnlessAskedFor() throws {
    let folder = try TestFolder()
    for name in ["b/2.cr2", "a.nef", ".c.nef"] { try folder.write(name, to: name) }
    let list = try SourceList(["."], workingFolder: folder.root, isRecursive: false)
    #expect(list.sources.map(\.relativePath.string) == ["a.nef"])
  }

  @Test func extensionsMatchInAnyCase() throws {
    for ending in RawSource.extensions {
      for name in ["x." + ending, "x." + ending.uppercased(), "x.y." + ending.capitalized] {
        let name = try #require(FilePath.Component(name))
        #expect(RawSource.isRaw(name))
      }
    }
    for name in ["dng", "x.jpg", "x.tif", "x.dng.xmp", "x"] {
      let name = try #require(FilePath.Component(name))
      #expect(!RawSource.isRaw(name))
    }
  }

  @Test func hiddenFilesAreIgnored() throws {
    let folder = try TestFolder()
    for name in [".x.dng", "._y.dng", ".trash/z.dng", ".rawdev/q.dng", "in.dng"] {
      try folder.write(name, to: name)
    }
    #expect(try list(folder).sources.map(\.relativePath.string) == ["in.dng"])
    // Who names one means it.
    #expect(try list(folder, [".x.dng"]).sources.count == 1)
  }

  @Test func loopsOfLinksEnd() throws {
    let folder = try TestFolder()
    try folder.write("1", to: "a/one.dng")
    try FileManager.default.createSymbolicLink(
      atPath: folder.at("a/up").string, withDestinationPath: "..")
    try FileManager.default.createSymbolicLink(
      atPath: folder.at("a/self").string, withDestinationPath: ".")
    try FileManager.default.createSymbolicLink(
      atPath: folder.at("a/lost.dng").string, withDestinationPath: "nowhere")
    try FileManager.default.createSymbolicLink(
      atPath: folder.at("a/ring").string, withDestinationPath: "ring")
    // A raw that is a link to nothing is named later as a file that failed.
    #expect(try list(folder).sources.map(\.relativePath.string) == ["a/lost.dng", "a/one.dng"])
  }

  /// Two links in each of 16 folders to the next make 65,536 ways to the last.
  @Test func foldersWithManyLinksAreListedOnce() throws {
    let folder = try TestFolder()
    for number in 0..<16 {
      try Folders.create(folder.at("in/\(number)"))
      for link in ["a", "b"] {
        try FileManager.default.createSymbolicLink(
          atPath: folder.file("in/\(number)/\(link)"), withDestinationPath: "../\(number + 1)")
      }
    }
    try folder.write("1", to: "in/16/one.dng")
    #expect(try list(folder, ["in"]).sources.count == 1)
    // A folder that is named twice is intended.
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: "in/16")
    #expect(try list(folder, ["in/16", "link"]).sources.count == 2)
  }

  @Test func namesOfAnyBytes() throws {
    let folder = try TestFolder()
    let names: [[UInt8]] = [
      Array("a b.dng".utf8), Array("new\nline.dng".utf8), [0xFF, 0xFE] + Array(".dng".utf8),
      Array("é.dng".utf8), Array("'\"$(x).dng".utf8),
    ]
    for name in names {
      try TestFolder.write(name, to: folder.root.pushing(FilePath(bytes: name)))
    }
    let odd = folder.root.pushing(FilePath(bytes: [0x80]))
    try TestFolder.write([1], to: odd.appending("in.dng"))
    let found = try list(folder)
    #expect(
      Set(found.sources.compactMap { $0.relativePath.lastComponent?.bytes })
        == Set(names + [Array("in.dng".utf8)]))
    for source in found.sources { #expect(FileStatus(FilePath(text: source.path.text)) != nil) }
    #expect(Set(found.sources.map(\.id)).count == names.count + 1)
  }

  @Test func theOutputFolderIsNotSearched() throws {
    let folder = try TestFolder()
    try folder.write("1", to: "in/a.dng")
    try folder.write("2", to: "in/out/b.dng")
    try folder.write("3", to: "in/outer/c.dng")
    try FileManager.default.createSymbolicLink(
      atPath: folder.at("in/link").string, withDestinationPath: "out")
    let found = try list(folder, ["in"], except: folder.at("in/./out"))
    #expect(found.sources.map(\.relativePath.string) == ["a.dng", "outer/c.dng"])
    // The folder itself as its own output: its contents are still read.
    #expect(try list(folder, ["in/outer"], except: folder.at("in/outer")).sources.count == 1)
  }

  @Test func sharedStemsAreMarked() throws {
    let folder = try TestFolder()
    for name in ["IMG.CR2", "IMG.DNG", "img.dng", "IMG.JPG", "b/IMG.CR2", "IMG.x.CR2"] {
      try folder.write(name, to: name)
    }
    func shared(_ found: SourceList) -> [String] {
      found.sources.filter(\.isNameShared).map(\.id)
    }
    #expect(shared(try list(folder)) == ["IMG.CR2", "IMG.DNG"])
    // In one folder they collide with names of subfolders.
    #expect(shared(try list(folder, isFlat: true)) == ["IMG.CR2", "IMG.DNG", "b/IMG.CR2"])
  }

  @Test func flatPathsAreNames() throws {
    let folder = try TestFolder()
    for name in ["a.dng", "b/c/d.dng"] { try folder.write(name, to: name) }
    #expect(
      try list(folder, isFlat: true).sources.map(\.relativePath.string) == ["a.dng", "d.dng"])
  }

  @Test func everyFileIsListedOnce() throws {
    let folder = try TestFolder()
    try folder.write("1", to: "in/a.dng")
    let found = try list(folder, ["in/a.dng", "in", "./in/../in/a.dng", folder.at("in")])
    #expect(found.sources.map(\.relativePath.string) == ["a.dng"])
    let error = #expect(throws: BatchError.self) { try list(folder, ["in", "none"]) }
    #expect(error?.code == .cannotRead && error?.path == "none")
  }

  @Test func foldersWithExtensionsOfRawsAreFolders() throws {
    let folder = try TestFolder()
    try folder.write("1", to: "trip.raw/a.dng")
    #expect(try list(folder).sources.map(\.relativePath.string) == ["trip.raw/a.dng"])
  }

  @Test(.enabled(if: getuid() != 0, "root may read everything"))
  func unreadableFoldersAreListed() throws {
    let folder = try TestFolder()
    for name in ["a.dng", "b/c.dng"] { try folder.write(name, to: name) }
    #expect(chmod(folder.at("b").string, 0) == 0)
    defer { chmod(folder.at("b").string, 0o700) }
    let found = try list(folder)
    #expect(found.sources.map(\.relativePath.string) == ["a.dng"])
    #expect(found.failures.map(\.path) == [folder.at("b")])
  }

  @Test func companionsAreSidecarsAndDefaults() throws {
    let folder = try TestFolder()
    for name in ["a.dng", "a.dng.rawdev.yaml", "a.xmp", "b/.rawdev/defaults.yaml", "n.txt"] {
      try folder.write(name, to: name)
    }
    let companions = Set(try list(folder).companions)
    #expect(
      companions.isSuperset(
        of: ["a.dng.rawdev.yaml", "a.xmp", "b/.rawdev/defaults.yaml"].map(folder.at)))
    #expect(!companions.contains(folder.at("n.txt")))
    // Sidecars of a file that was named alone, too.
    let alone = Set(try list(folder, ["a.dng"]).companions)
    #expect(alone.isSuperset(of: ["a.dng.rawdev.yaml", "a.xmp"].map(folder.at)))
  }

  @Test func tenThousandInOneFolder() throws {
    let folder = try TestFolder()
    for number in 0..<10_000 {
      let path = folder.root.appending("\(number).dng")
      close(path.withPlatformString { open($0, O_CREAT | O_WRONLY, 0o600) })
    }
    let found = try list(folder)
    #expect(found.sources.count == 10_000)
    let names = found.sources.map { $0.relativePath.bytes }
    #expect(zip(names, names.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
  }
}
