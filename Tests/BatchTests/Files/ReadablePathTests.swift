import Develop
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Batch

@Suite struct ReadablePathTests {
  /// Names with every byte that a name can have, in text and not.
  private static let names: [[UInt8]] = [
    Array("plain.dng".utf8), Array("with space.dng".utf8), Array("a\nb\u{7F}\t\"\\.dng".utf8),
    [0xFF, 0xFE, 0x25, 0x41], [0xC3], Array("100%41.dng".utf8), [0xC3, 0x28, 0x20, 0x25],
    Array("é\u{202E}日本\u{1F4F7}".utf8), Array("e\u{301}".utf8), Array("file:".utf8), Array(1...46),
    Array(48...255), [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
  ]

  @Test func pathsOfAnyBytesCanBeOpened() throws {
    let folder = try TestFolder()
    for name in Self.names {
      let path = folder.root.pushing(FilePath(bytes: name))
      try TestFolder.write(name, to: path)
      #expect(ReadablePath.contents(of: path).map { Array($0) } == name)
      let read = ReadablePath(path).withText { FileManager.default.contents(atPath: $0) }
      #expect(read.map { Array($0) } == name)
    }
  }

  @Test func pipesAndDevicesAreNotRead() throws {
    let folder = try TestFolder()
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    #expect(ReadablePath.contents(of: folder.at("pipe")) == nil)
    #expect(ReadablePath.contents(of: "/dev/null") == nil)
    let long = [UInt8](repeating: 7, count: (1 << 18) + 3)
    let path = try TestFolder.write(long, to: folder.at("long"))
    #expect(ReadablePath.contents(of: path) == Data(long))
  }

  @Test func stagedFilesInFoldersOfAnyName() throws {
    let folder = try TestFolder()
    let odd = folder.root.pushing(FilePath(bytes: [0xFF, 0x0A]))
    try Folders.create(odd)
    let staged = [
      "a": odd.appending(".rawdev-1.part").text, "b": folder.at(".rawdev-2.part").text,
    ]
    let folders = StagedFolders(staged)
    for path in folders.paths.values {
      #expect(FileManager.default.createFile(atPath: path, contents: Data()))
    }
    #expect(FileStatus(odd.appending(".rawdev-1.part")) != nil)
    #expect(FileStatus(folder.at(".rawdev-2.part")) != nil)
    withExtendedLifetime(folders) {}
  }
}
