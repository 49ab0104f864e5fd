import Develop
import Foundation
import SystemPackage

/// The names in one folder, as bytes, sorted.
enum FolderNames {
  /// Throws ``BatchError`` where the folder cannot be read.
  static func all(in folder: FilePath) throws(BatchError) -> [FilePath.Component] {
    guard let stream = folder.withPlatformString({ opendir($0) }) else {
      throw BatchError(.cannotRead, "cannot read the folder: \(BatchError.reason())", path: folder)
    }
    defer { closedir(stream) }
    var found: [(name: FilePath.Component, bytes: [UInt8])] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { start in
        start.withMemoryRebound(to: CChar.self, capacity: 256) {
          FilePath.Component(platformString: $0)
        }
      }
      // "." and ".." are no regular names.
      if let name, name.kind == .regular { found.append((name, name.bytes)) }
    }
    return found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.name)
  }
}
