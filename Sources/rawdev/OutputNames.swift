import ArgumentParser
import Foundation

/// Where each raw goes. No two raws may meet in one file, and no raw may be overwritten.
struct OutputNames {
  let pairs: [(input: String, output: String)]

  init(inputs: [String], output: String?, pathExtension: String) throws {
    let manager = FileManager.default
    var isFolder: ObjCBool = false
    let exists = output.map { manager.fileExists(atPath: $0, isDirectory: &isFolder) } ?? false
    let folder: String? =
      if let output, (exists && isFolder.boolValue) || output.hasSuffix("/") || inputs.count > 1 {
        output
      } else { nil }
    if let folder {
      if exists, !isFolder.boolValue {
        throw ValidationError("-o \(folder) is a file; several raws need a folder")
      }
      try? manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    pairs = inputs.map { input in
      let url = URL(fileURLWithPath: input)
      let name = url.deletingPathExtension().lastPathComponent + "." + pathExtension
      if let folder {
        return (input, URL(fileURLWithPath: folder).appendingPathComponent(name).path)
      }
      return (input, output ?? url.deletingLastPathComponent().appendingPathComponent(name).path)
    }
    let raws = Set(inputs.compactMap(FileIdentity.init))
    var seen: Set<String> = []
    for (_, target) in pairs {
      let place = URL(fileURLWithPath: target).standardizedFileURL.path
      guard seen.insert(place).inserted else {
        throw ValidationError("two raws would be written to \(target); develop them apart")
      }
      if let file = FileIdentity(target), raws.contains(file) {
        throw ValidationError("\(target) is the raw itself; name another output")
      }
    }
  }
}

/// Which file a path leads to, whatever links lie on the way.
private struct FileIdentity: Hashable {
  let device: UInt64
  let number: UInt64

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
