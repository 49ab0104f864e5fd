internal import CPOSIX
import Containers
import Foundation
import ImageCore

extension OutputDestination {
  /// Throws where `content` must not be written here.
  package func check(_ content: OutputContent) throws(WriteError) {
    switch target {
    case .noFile: throw noFile
    case .memory, .handedOver: break
    case .descriptor(let number): try refuseSources(of: content, open: number)
    case .file(let path, _): _ = try target(of: content, at: path)
    }
  }

  var noFile: WriteError {
    WriteError(.cannotWrite, "is not a file URL; name a file on a disk", path: name)
  }

  /// The target of a write of `content` at `path`, which is the path of this destination or what it
  /// resolves to. Throws where it must not be written.
  func target(of content: OutputContent, at path: [UInt8]) throws(WriteError) -> WriteTarget {
    guard case .file(_, let existing) = target else { return .file(path: path, old: nil) }
    if !followsLinks { try requireOrdinary(path) }
    let target = try WriteTarget(path)
    switch target {
    case .stream(.descriptor(let number)): try refuseSources(of: content, open: number)
    case .stream(.path): break
    case .file(let found, let old):
      if let old { try refuseSources(of: content, old.identity) }
      guard !content.isContradicted(by: path), !content.isContradicted(by: found) else {
        throw WriteError(
          .badSetting,
          "the extension belongs to another format, and \(content.format) is written; name it "
            + ".\(content.extensions[0])", path: name)
      }
      if let old { try refuse(old, at: found, of: content, unless: existing) }
    }
    return target
  }

  private func refuseSources(of content: OutputContent, open descriptor: Int32) throws(WriteError) {
    if let file = FileIdentity(descriptor: descriptor) { try refuseSources(of: content, file) }
  }

  private func refuseSources(
    of content: OutputContent, _ file: FileIdentity
  ) throws(WriteError) {
    guard !content.sources.contains(file), !preserved.contains(file) else {
      throw WriteError(.isInput, "is the input itself; name another output", path: name)
    }
  }

  private func requireOrdinary(_ path: [UInt8]) throws(WriteError) {
    var status = stat()
    guard unsafe lstat(AtomicFile.cString(path), &status) == 0 else { return }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFDIR else {
      throw WriteError(
        .exists, "is a link or not a regular file; remove it or name another output", path: name)
    }
  }

  private func refuse(
    _ old: WriteTarget.OldFile, at path: [UInt8], of content: OutputContent,
    unless existing: ExistingFiles
  ) throws(WriteError) {
    switch existing {
    case .replace: return
    case .refuse:
      throw WriteError(
        .exists, "exists already; name another file", path: name, remedies: [.allowReplacement])
    case .replaceOwn:
      guard old.byteCount > 0,
        let refusal = Self.refusal(of: String(decoding: path, as: UTF8.self), content)
      else { return }
      throw WriteError(
        .exists, "exists \(refusal); name another file", path: name,
        remedies: [.allowReplacement])
    }
  }

  /// Why `content` must not replace the file at `path`; nil where rawdev wrote it from the same
  /// source and no other program has edited it since.
  private static func refusal(of path: String, _ content: OutputContent) -> String? {
    guard let file = try? FileBytes(path: path, limits: DecodeLimits(maxFileBytes: .max)) else {
      return "and cannot be read"
    }
    let software = WritingSoftware(in: file)
    guard software.name?.begins(with: RawdevVersion.name) ?? false else {
      return "and is not marked as written by rawdev"
    }
    if let source = software.source, let new = content.source, !source.isSame(as: new) {
      return "and rawdev made it from another picture"
    }
    return software.isEditedByOthers ? "and another program has edited its metadata" : nil
  }
}
