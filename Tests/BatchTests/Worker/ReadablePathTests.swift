import Foundation
import SystemPackage
import Testing

@testable import Batch

@Suite struct ReadablePathTests {
  @Test func everyNameOpens() throws {
    let folder = try TestFolder()
    for name in FilePathTextTests.names where !name.contains(UInt8(ascii: "/")) {
      let path = folder.path.pushing(FilePath(bytes: name))
      try TestFolder.write(name, to: path)
      #expect(ReadablePath.contents(of: path).map { Array($0) } == name)
    }
  }

  @Test func stagedFilesGoIntoFoldersOfAnyName() throws {
    let folder = try TestFolder()
    let odd = folder.path.pushing(FilePath(bytes: [0xFF, 0x0A]))
    try Folders.create(odd)
    let staged = [
      "a": odd.appending(".rawdev-1.part").text, "b": folder.file(".rawdev-2.part").text,
    ]
    let folders = StagedFolders(staged)
    for path in folders.paths.values {
      #expect(FileManager.default.createFile(atPath: path, contents: Data()))
    }
    #expect(FileStatus(odd.appending(".rawdev-1.part")) != nil)
    #expect(FileStatus(folder.file(".rawdev-2.part")) != nil)
    withExtendedLifetime(folders) {}
  }
}
