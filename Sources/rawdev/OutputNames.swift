import ArgumentParser
import Develop
import Foundation
import SystemPackage

/// Where each raw goes. No two raws may meet in one file, and no raw may be overwritten.
final class OutputNames {
  /// The file that -o names; nil where it names a folder or is not given.
  let file: String?
  private let folder: String?
  private let raws: Set<FileIdentity>
  /// Places, without extension, at which more than one raw stands.
  private let shared: Set<FilePath>
  private let isInPlace: Bool
  private var taken: Set<String> = []

  init(inputs: [String], output: String?) throws {
    let manager = FileManager.default
    var isFolder: ObjCBool = false
    let exists = output.map { manager.fileExists(atPath: $0, isDirectory: &isFolder) } ?? false
    raws = Set(inputs.compactMap(FileIdentity.init))
    isInPlace = output == nil
    let places = inputs.map { input in
      output == nil
        ? Self.absolute(input) : FilePath(Self.absolute(input).lastComponent?.string ?? input)
    }
    for (index, place) in places.enumerated() where places[..<index].contains(place) {
      throw ValidationError(
        "two raws would be written to the same file (\(place)); develop them apart")
    }
    let stems = Dictionary(places.map { (Self.withoutExtension($0), 1) }, uniquingKeysWith: +)
    shared = Set(stems.filter { $0.value > 1 }.keys)
    guard let output else {
      (file, folder) = (nil, nil)
      return
    }
    if (exists && isFolder.boolValue) || output.hasSuffix("/") || inputs.count > 1 {
      if exists, !isFolder.boolValue {
        throw ValidationError("-o \(output) is a file; several raws need a folder")
      }
      try? manager.createDirectory(atPath: output, withIntermediateDirectories: true)
      (file, folder) = (nil, output)
    } else {
      (file, folder) = (output, nil)
    }
  }

  /// The raw as a source whose outputs go to one folder.
  func source(_ input: String) -> RawSource {
    let path = Self.absolute(input)
    let name = FilePath(path.lastComponent?.string ?? input)
    var source = RawSource(path: path, relativePath: name)
    source.isNameShared = shared.contains(Self.withoutExtension(isInPlace ? path : name))
    return source
  }

  private static func withoutExtension(_ path: FilePath) -> FilePath {
    path.removingLastComponent().appending(path.stem ?? "")
  }

  /// The raw's path from the root.
  private static func absolute(_ input: String) -> FilePath {
    FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(input))
      .lexicallyNormalized()
  }

  /// Where the outputs of `input` go, which are to have these paths below their folder. Folders are
  /// made.
  func targets(_ input: String, _ outputs: [String: FilePath]) throws -> [String: String] {
    if let file {
      guard outputs.count == 1, let name = outputs.keys.first else {
        throw ValidationError(
          "-o \(file) is one file, and the recipe has \(outputs.count) outputs; name a folder")
      }
      return [name: try claim(file)]
    }
    let base = folder.map { FilePath($0) } ?? FilePath(input).removingLastComponent()
    return try outputs.mapValues { place in
      let path = base.pushing(place)
      if place.components.count > 1 {
        try? FileManager.default.createDirectory(
          atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
      }
      return try claim(path.string)
    }
  }

  private func claim(_ target: String) throws -> String {
    let place = URL(fileURLWithPath: target).standardizedFileURL.path
    guard taken.insert(place).inserted else {
      throw ValidationError("two raws would be written to \(target); develop them apart")
    }
    if let file = FileIdentity(target), raws.contains(file) {
      throw ValidationError("\(target) is the raw itself; name another output")
    }
    return target
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
