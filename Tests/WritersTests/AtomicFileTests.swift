import CPOSIX
import Formats
import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Writers

@Suite struct AtomicFileTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private struct Stop: Error {}

  private func append(_ text: String, to descriptor: Int32, path: String) throws {
    try AtomicFile.append(Array(text.utf8), to: descriptor, path: path)
  }
  private func content(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func newFileTakesTheNameWhenItIsComplete() throws {
    let path = folder.file("a.tif")
    let result = try AtomicFile.write(to: path) { descriptor in
      try append("new", to: descriptor, path: path)
      #expect(content(path) == nil)
      return 7
    }
    #expect(result == 7)
    #expect(content(path) == "new")
    #expect(folder.names == ["a.tif"])
  }

  @Test func oldFileStaysUntilTheNewOneIsComplete() throws {
    let path = folder.file("a.tif")
    try "old".write(toFile: path, atomically: false, encoding: .utf8)
    try AtomicFile.write(to: path) { descriptor in
      try append("a longer new file", to: descriptor, path: path)
      #expect(content(path) == "old")
    }
    #expect(content(path) == "a longer new file")
    #expect(folder.names == ["a.tif"])
  }

  @Test func errorLeavesTheOldFileAndNothingElse() throws {
    let path = folder.file("a.tif")
    try "old".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(throws: Stop.self) {
      try AtomicFile.write(to: path) { descriptor in
        try append("half a fi", to: descriptor, path: path)
        throw Stop()
      }
    }
    #expect(content(path) == "old")
    #expect(folder.names == ["a.tif"])
  }

  @Test func linksAreWrittenThrough() throws {
    let (path, link) = (folder.file("ä.tif"), folder.file("b.tif"))
    try "old".write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "ä.tif")
    _ = try AtomicFile.write([Array("new".utf8)], to: link)
    #expect(content(path) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "ä.tif")
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: WriteError.self) { try AtomicFile.write([[1]], to: link) }
    #expect(folder.names == ["b.tif"])
  }

  @Test func permissionsAreKeptAndRespected() throws {
    let path = folder.file("a.tif")
    try "old".write(toFile: path, atomically: false, encoding: .utf8)
    chmod(path, 0o640)
    _ = try AtomicFile.write([Array("new".utf8)], to: path)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    chmod(path, 0o440)
    #expect(throws: WriteError.self) { try AtomicFile.write([[1]], to: path) }
    #expect(content(path) == "new")
    #expect(folder.names == ["a.tif"])
  }

  @Test func aFIFOGetsTheWholeFileAndStays() async throws {
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
    // Either end blocks its thread until the other is there.
    async let written = Cancellation.ofTask { () throws(any Error) in
      try AtomicFile.write([bytes], to: path)
    }
    let read = try await Cancellation.ofTask { () throws(any Error) in
      try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).readToEnd()
    }
    #expect(try await written == bytes.count && read == Data(bytes))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    #expect(folder.names == ["pipe"])
  }

  @Test func aReaderThatLeavesIsAnError() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    #expect(throws: WriteError.self) { try AtomicFile.write([[1]], to: "/dev/fd/\(ends[1])") }
  }

  @Test func aDeviceStaysAndASocketIsRefused() throws {
    #expect(try AtomicFile.write([[1, 2]], to: "/dev/null") == 2)
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    let path = folder.file("s")
    let descriptor = cposix_local_socket()
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
    }
    #expect(isBound)
    #expect(throws: WriteError.self) { try AtomicFile.write([[1]], to: path) }
    #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK)
  }

  @Test func linksAtTemporaryNamesAreNotFollowed() throws {
    let path = folder.file("a.tif")
    let other = try folder.write("other", to: "other")
    let link = folder.file(".a.tif.rawdev-tmp")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)
    try AtomicFile.write(to: path) { try append("new", to: $0, path: path) }
    #expect(content(path) == "new" && content(other) == "other")
    // Whoever makes a file of a fixed name removes a link.
    close(try AtomicFile.newFile(at: Array(link.utf8)))
    #expect(content(link)?.isEmpty ?? false)
    #expect(content(other) == "other")
  }

  @Test func writersOfOnePathHaveFilesOfTheirOwn() throws {
    let path = folder.file("a.tif")
    try AtomicFile.write(to: path) { descriptor in
      try append("the fi", to: descriptor, path: path)
      _ = try AtomicFile.write([Array("second".utf8)], to: path)
      #expect(content(path) == "second")
      try append("rst", to: descriptor, path: path)
    }
    #expect(content(path) == "the first")
    #expect(folder.names == ["a.tif"])
  }

  /// A file without a lock is nobody's.
  @Test func whatAKilledWriterLeftIsRemoved() throws {
    let (path, left) = (folder.file("a.tif"), folder.file(".a.tif.rawdev-tmp"))
    try folder.write("half of a longer fi", to: ".a.tif.rawdev-tmp")
    try AtomicFile.write(to: path) { descriptor in
      #expect(content(left)?.isEmpty ?? false)
      try append("new", to: descriptor, path: path)
    }
    #expect(content(path) == "new")
    #expect(folder.names == ["a.tif"])
    // A process killed while linking a new file left a second link to it.
    #expect(link(path, left) == 0)
    _ = try AtomicFile.write([Array("newer".utf8)], to: path)
    #expect(content(path) == "newer")
    #expect(folder.names == ["a.tif"])
  }

  @Test func whatIsThereIsNotWrittenTo() throws {
    let (path, there) = (folder.file("a.tif"), folder.file(".a.tif.rawdev-tmp"))
    let other = try folder.write("other", to: "other")
    #expect(link(other, there) == 0)
    _ = try AtomicFile.write([Array("new".utf8)], to: path)
    #expect(content(path) == "new" && content(other) == "other")
    #expect(folder.names == ["a.tif", "other"])
    #expect(mkfifo(there, 0o600) == 0)
    _ = try AtomicFile.write([Array("newer".utf8)], to: path)
    #expect(content(path) == "newer")
    #expect(folder.names == [".a.tif.rawdev-tmp", "a.tif", "other"])
  }

  @Test func lockedFilesOfOthersStay() throws {
    let path = folder.file("a.tif")
    let held = try folder.write("the fi", to: ".a.tif.rawdev-tmp")
    let descriptor = open(held, O_RDWR)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    _ = try AtomicFile.write([Array("second".utf8)], to: path)
    #expect(content(path) == "second" && content(held) == "the fi")
    #expect(folder.names == [".a.tif.rawdev-tmp", "a.tif"])
  }

  /// As by a machine that sees no locks of this one.
  @Test func aFileThatIsNoLongerItsOwnIsNotPutInPlace() throws {
    let (path, temporary) = (folder.file("a.tif"), folder.file(".a.tif.rawdev-tmp"))
    try folder.write("old", to: "a.tif")
    let error = try #require(throws: WriteError.self) {
      try AtomicFile.write(to: path) { descriptor in
        try append("new", to: descriptor, path: path)
        #expect(unlink(temporary) == 0)
        try folder.write("half", to: ".a.tif.rawdev-tmp")
      }
    }
    #expect(error.code == .cannotWrite && error.message.contains("write it again"))
    #expect(content(path) == "old" && content(temporary) == "half")
  }

  /// Every file has the name of its own writer, whoever comes first.
  @Test func manyWritersLeaveNothing() async throws {
    let path = folder.file("a.tif")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        group.addTask {
          let bytes = [UInt8](repeating: UInt8(number), count: 1000)
          _ = try AtomicFile.write([bytes], to: path)
        }
      }
      try await group.waitForAll()
    }
    let bytes = FileManager.default.contents(atPath: path) ?? Data()
    #expect(bytes.count == 1000 && Set(bytes).count == 1)
    #expect(folder.names == ["a.tif"])
  }

  @Test func longNamesHaveTemporaryOnes() throws {
    for name in [String(repeating: "n", count: 255), "x" + String(repeating: "ä", count: 127)] {
      let path = folder.file(name)
      _ = try AtomicFile.write([Array("new".utf8)], to: path)
      #expect(content(path) == "new")
      let temporary = AtomicFile.temporary(of: Array(path.utf8), mark: ".0")
      #expect(String(validating: temporary, as: UTF8.self) != nil)
    }
  }

  /// Every write to /dev/full fails as on a full disk.
  @Test func fullDiskIsNamedAndLeavesNothing() throws {
    let path = folder.file("a.tif")
    try "old".write(toFile: path, atomically: false, encoding: .utf8)
    let error = try #require(throws: WriteError.self) {
      try AtomicFile.write(to: path) { descriptor in
        DiskFull.happens(to: descriptor)
        try append("new", to: descriptor, path: path)
      }
    }
    #expect(error.code == .diskFull)
    #expect(error.path == path)
    #expect(content(path) == "old")
    #expect(folder.names == ["a.tif"])
  }

  @Test func folderInPlaceOfTheFileIsRefused() throws {
    let error = try #require(throws: WriteError.self) {
      try AtomicFile.write(to: folder.path) { _ in }
    }
    #expect(error.code == .cannotWrite)
    #expect(folder.names.isEmpty)
  }

  @Test func missingFolderIsNamed() throws {
    let error = try #require(throws: WriteError.self) {
      try AtomicFile.write(to: folder.file("no/such/a.tif")) { _ in }
    }
    #expect(error.code == .cannotWrite)
    #expect(error.message.contains("create it first"))
  }

  @Test func createNeverReplaces() throws {
    let path = folder.file("a.yaml")
    #expect(try AtomicFile.create(Array("one".utf8), at: path))
    #expect(try !AtomicFile.create(Array("two".utf8), at: path))
    #expect(content(path) == "one")
    #expect(folder.names == ["a.yaml"])
  }
}

/// A disk that is full from now on, for one descriptor or for the temporary file of `path`.
enum DiskFull {
  static func happens(to descriptor: Int32) {
    let full = open("/dev/full", O_RDWR)
    dup2(full, descriptor)
    close(full)
  }

  static func happens(toTemporaryFileOf path: String) {
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().lastPathComponent
    let wanted = "/" + folder + "/." + url.lastPathComponent + "."
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for name in descriptors {
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/" + name)
      if let target, target.contains(wanted), target.hasSuffix(".rawdev-tmp"),
        let descriptor = Int32(name)
      {
        happens(to: descriptor)
      }
    }
  }
}
