import Foundation

/// A file of the process's own, in memory where there is such a file system.
enum ScratchFile {
  static let folder: String = {
    let base = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    let folder = "\(base)/rawdev-fuzz-\(getpid())"
    try? FileManager.default.createDirectory(
      atPath: folder + "/.rawdev", withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: ScratchFile.folder) }
    return folder
  }()

  static func with(_ bytes: [UInt8], named name: String = "file", _ body: (String) -> Void) {
    let path = "\(folder)/\(name)"
    guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
      fatalError("cannot write \(path)")
    }
    body(path)
  }
  static func remove(_ name: String) { unlink("\(folder)/\(name)") }
}
