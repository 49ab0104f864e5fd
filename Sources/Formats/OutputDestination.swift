public import Foundation
package import ImageCore

/// Where a file is written to. Every writer takes one.
///
/// A file appears under its name when it is complete, or not at all. What it may replace is checked
/// before the work begins and again when it gets its name, so that a file that appears meanwhile is
/// not lost. Always refused are an output that is one of its own sources, by any path or link, and
/// a name with the extension of another format; missing or unknown extensions are accepted.
///
/// The bytes are the same everywhere.
public struct OutputDestination: Sendable {
  enum Target: Sendable {
    case file(path: [UInt8], ExistingFiles)
    case descriptor(Int32)
    case memory
    /// An empty file that the caller renames.
    case handedOver(Int32, syncs: Bool)
    case noFile
  }

  let target: Target
  /// The name in messages.
  package let name: String
  /// Where the user named only the folder, links and devices in it are not followed: it may come
  /// from a stranger.
  var followsLinks = true
  /// Files that must not be replaced, besides the picture's sources.
  private(set) var preserved: Set<FileIdentity> = []

  private init(_ target: Target, _ name: String) { (self.target, self.name) = (target, name) }

  /// The file at `url`, which has to be a file URL: anything else throws `.cannotWrite` when it is
  /// written to. Links are followed, and a replaced file hands on its permissions. A FIFO, a
  /// character device and `/dev/stdout` get the bytes of the complete file, whatever their name and
  /// `existing`.
  public static func file(
    _ url: URL, existing: ExistingFiles = .refuse
  ) -> OutputDestination {
    guard url.isFileURL else { return OutputDestination(.noFile, url.absoluteString) }
    return .file(path: url.path, existing: existing)
  }

  /// The open descriptor: it gets the bytes of the complete file, at its position, and stays open.
  public static func descriptor(_ number: Int32) -> OutputDestination {
    OutputDestination(.descriptor(number), "descriptor \(number)")
  }

  /// Memory: the result holds the bytes.
  public static let memory = OutputDestination(.memory, "the output in memory")

  /// The same destination, which does not replace `files` either, such as inputs not yet read.
  /// Missing files are ignored.
  public func keeping(_ files: [URL]) -> OutputDestination {
    keeping(Set(files.compactMap { FileIdentity($0) }))
  }
}

extension OutputDestination {
  /// The file at `path`.
  package static func file(
    path: String, existing: ExistingFiles = .refuse, followsLinks: Bool = true
  ) -> OutputDestination {
    var destination = OutputDestination(.file(path: Array(path.utf8), existing), path)
    destination.followsLinks = followsLinks
    return destination
  }

  /// An open, empty file that the opener renames, for a process without the right to create files.
  /// `syncs`: it is synced at the end of the write, else by the opener.
  package static func handedOver(
    _ descriptor: Int32, name: String, syncs: Bool = true
  ) -> OutputDestination {
    OutputDestination(.handedOver(descriptor, syncs: syncs), name)
  }

  /// The same destination, which does not replace `files` either.
  package func keeping(_ files: Set<FileIdentity>) -> OutputDestination {
    var destination = self
    destination.preserved.formUnion(files)
    return destination
  }

  /// Whether it is memory.
  package var isMemory: Bool {
    if case .memory = target { true } else { false }
  }

  /// The extension of its name, in lower case.
  package var pathExtension: String {
    guard case .file = target else { return "" }
    return URL(fileURLWithPath: name).pathExtension.lowercased()
  }

  /// The file that it names; nil for descriptors and memory.
  package var url: URL? {
    guard case .file = target else { return nil }
    return URL(fileURLWithPath: name)
  }
}
