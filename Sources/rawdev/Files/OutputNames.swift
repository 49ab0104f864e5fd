import ArgumentParser
import Batch
import Develop
import Formats
import Foundation
import ImageCore
import Recipes
import SystemPackage

/// The paths of outputs. No two raws may be written to one file, and no raw may be overwritten.
final class OutputNames {
  /// The file that -o names; nil where it names a folder or is not given.
  let file: String?
  private let folder: String?
  private let raws: Set<FileIdentity>
  /// Paths, without extension, that more than one raw has.
  private let shared: Set<FilePath>
  private let isInPlace: Bool
  private let overwrites: Bool
  private let makesFolders: Bool
  private var taken: Set<String> = []

  /// `others`: further files that may not be overwritten; `isFolder`: `output` names a folder,
  /// however many inputs there are; `makesFolders`: folders that are missing are made.
  init(
    inputs: [String], others: [String] = [], output: String?, isFolder: Bool = false,
    overwrites: Bool, makesFolders: Bool = true
  ) throws {
    (self.overwrites, self.makesFolders) = (overwrites, makesFolders)
    let output = try output.map(StandardStreams.output)
    let manager = FileManager.default
    let existing = output.flatMap { try? Stat(FilePath($0)) }
    raws = Set((inputs + others).compactMap { FileIdentity(path: $0) })
    isInPlace = output == nil
    let paths = inputs.map { input in
      output == nil
        ? ArgumentPath.absolute(input)
        : FilePath(ArgumentPath.absolute(input).lastComponent?.string ?? input)
    }
    var known: Set<FilePath> = []
    for path in paths where !known.insert(path).inserted {
      throw ValidationError(
        "two inputs would be written to the same file (\(path)); give each a name of its own")
    }
    let stems = Dictionary(paths.map { (Self.withoutExtension($0), 1) }, uniquingKeysWith: +)
    shared = Set(stems.filter { $0.value > 1 }.keys)
    guard let output else {
      if inputs.contains(StandardStreams.input) {
        throw ValidationError("standard input has no name; name the output with -o")
      }
      (file, folder) = (nil, nil)
      return
    }
    if existing?.type == .directory || output.hasSuffix("/") || inputs.count > 1 || isFolder {
      if let existing, existing.type != .directory {
        throw ValidationError("-o \(output) is a file; several inputs need a folder")
      }
      guard existing != nil || output.hasSuffix("/") || !Self.isNamedAsPicture(output) else {
        throw ValidationError(
          "-o \(output) names one file, and there are \(inputs.count) inputs; name a folder")
      }
      if makesFolders {
        try? manager.createDirectory(atPath: output, withIntermediateDirectories: true)
      }
      (file, folder) = (nil, output)
    } else {
      (file, folder) = (output, nil)
    }
  }

  /// The raw as a source whose outputs go to one folder.
  func source(_ input: String) -> RawSource {
    let path = ArgumentPath.absolute(input)
    let name = FilePath(path.lastComponent?.string ?? input)
    var source = RawSource(path: path, relativePath: name)
    source.isNameShared = shared.contains(Self.withoutExtension(isInPlace ? path : name))
    return source
  }

  private static func withoutExtension(_ path: FilePath) -> FilePath {
    path.removingLastComponent().appending(path.stem ?? "")
  }

  private static func isNamedAsPicture(_ path: String) -> Bool {
    FilePath(path).extension.flatMap { OutputFormat(pathExtension: $0) } != nil
  }

  /// Throws where two of `outputs`, which have been checked one by one, are the same file by
  /// different names.
  static func requireDistinct(_ outputs: [String]) throws {
    var paths: Set<String> = []
    var files: Set<FileIdentity> = []
    for output in outputs {
      let isNewFile = FileIdentity(path: output).map { files.insert($0).inserted } ?? true
      guard paths.insert(standardized(output)).inserted, isNewFile else {
        throw ValidationError(
          "\(output) is named for two files; name another file for one of them")
      }
    }
  }

  private static func standardized(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }

  /// The targets for outputs of `input` with these paths below their folder. Folders are
  /// created.
  func targets(_ input: String, _ outputs: [String: FilePath]) throws -> [String: String] {
    if let file {
      guard outputs.count == 1, let name = outputs.keys.first else {
        throw ValidationError(
          "-o \(file) is one file, and the recipe has \(outputs.count) outputs; name a folder")
      }
      return [name: try claim(file)]
    }
    let base = folder.map { FilePath($0) } ?? FilePath(input).removingLastComponent()
    return try outputs.mapValues { output in
      let path = base.pushing(output)
      try Folders.requireNoWayOut(of: base, to: output)
      if makesFolders, output.components.count > 1 {
        try? FileManager.default.createDirectory(
          atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
      }
      return try claim(path.string, isDerived: true)
    }
  }

  /// The target of the only output of `input`, of this format.
  func target(_ input: String, _ format: OutputFormat) throws -> String {
    try target(input, extension: format.pathExtension)
  }

  /// The target of the only output of `input`, of this extension.
  func target(_ input: String, extension suffix: String) throws -> String {
    let source = source(input)
    let relative = source.relativePath
    let name = source.isNameShared ? relative : Self.withoutExtension(relative)
    let path = FilePath("\(name).\(suffix)")
    return try targets(input, [Recipe.onlyOutput: path])[Recipe.onlyOutput] ?? path.string
  }

  /// The file at `target`, which was claimed. Where the user named only the folder, links in it are
  /// not followed.
  func destination(_ target: String) -> OutputDestination {
    destination(target, isDerived: file == nil)
  }

  private func destination(_ target: String, isDerived: Bool) -> OutputDestination {
    OverwriteOptions.destination(target, overwrites: overwrites, followsLinks: !isDerived)
      .keeping(raws)
  }

  private func claim(_ target: String, isDerived: Bool = false) throws -> String {
    guard taken.insert(Self.standardized(target)).inserted else {
      throw ValidationError("two inputs would be written to \(target); give each a name of its own")
    }
    try OverwriteOptions.check(destination(target, isDerived: isDerived))
    return target
  }
}
