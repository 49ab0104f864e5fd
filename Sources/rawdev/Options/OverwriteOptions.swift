import ArgumentParser
import Batch
import Develop
import Formats
import Foundation
import ImageCore
import SystemPackage

/// What may be replaced.
struct OverwriteOptions: ParsableArguments {
  @Flag(help: "Replace files that were not written by rawdev, too.")
  var overwrite = false

  /// The paths of an input and an output, which may be the same file: the input as it was, edited.
  func files(
    _ input: String, _ output: String
  ) throws -> (input: String, output: OutputDestination) {
    let target = Self.destination(try StandardStreams.output(output), overwrites: overwrite)
    try Self.check(target)
    return (try StandardStreams.inputs([input])[0], target)
  }

  /// A path that the user names may replace files of rawdev, and with `overwrites` any other file.
  static func destination(
    _ path: String, overwrites: Bool, followsLinks: Bool = true
  ) -> OutputDestination {
    .file(path: path, existing: existing(overwrites), followsLinks: followsLinks)
  }

  /// The policy of the command.
  static func existing(_ overwrites: Bool) -> ExistingFiles {
    overwrites ? .replace : .replaceOwn
  }

  /// A list or page of batches.
  enum List {
    case manifest, report, page

    /// Whether the file that begins so is one.
    fileprivate func isOne(_ start: Data) -> Bool {
      let line = start.prefix { $0 != UInt8(ascii: "\n") }
      return switch self {
      case .manifest: (try? JSONDecoder().decode(ManifestEntry.self, from: line)) != nil
      case .report: (try? BatchEvent(line: line)) != nil
      case .page: start.range(of: Data(HTMLReport.generator.utf8)) != nil
      }
    }
  }

  /// The path of a list or page, which may replace an empty file and one of its kind.
  func list(_ output: String, _ kind: List) throws -> FilePath {
    let path = ArgumentPath.absolute(output)
    guard !overwrite, let status = try? Stat(path), status.type == .regular, status.size > 0 else {
      return path
    }
    var start = Data()
    if let file = try? FileDescriptor.open(path, .readOnly) {
      defer { try? file.close() }
      // Longer than any line of either list.
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let count = try? unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
      start = Data(bytes.prefix(count ?? 0))
    }
    guard kind.isOne(start) else {
      throw DevelopError.write(
        WriteError(
          .exists, "exists and is not such a list; name another file",
          path: output, remedies: [.allowReplacement]))
    }
    return path
  }

  /// The file `output` that is made of `inputs`. Throws where it is one of them or must not be
  /// replaced.
  func file(_ output: String, of inputs: [String]) throws -> OutputDestination {
    guard !output.hasSuffix("/") else {
      throw ValidationError("\(output) is a folder; name a file inside it")
    }
    let target = Self.destination(try StandardStreams.output(output), overwrites: overwrite)
      .keeping(Set(inputs.compactMap { FileIdentity(path: $0) }))
    try Self.check(target)
    return target
  }

  /// Throws where `target` must not be written; one that is an input is a command line error.
  static func check(_ target: OutputDestination) throws {
    do throws(WriteError) { try target.check(.any()) } catch {
      guard error.code == .isInput else { throw DevelopError.write(error) }
      throw ValidationError("\(target.name) \(error.message)")
    }
  }
}
