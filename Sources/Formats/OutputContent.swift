package import Containers
package import ImageCore

/// Properties of the content that decide where it may be written to.
package struct OutputContent: Sendable {
  /// Name of the format for people.
  package let format: String
  /// Extensions of its files, in lower case, the usual one first; empty if any is accepted.
  package let extensions: [String]
  /// The files that it is made of.
  package var sources: Set<FileIdentity>
  /// The picture that it is made of; nil where that is not known.
  package private(set) var source: SourcePicture?

  /// A file of `format`, made of `sources`.
  package init(_ format: String, _ extensions: [String], of sources: Set<FileIdentity> = []) {
    (self.format, self.extensions, self.sources) = (format, extensions, sources)
  }

  /// A file of any format.
  package static func any(of sources: Set<FileIdentity> = []) -> OutputContent {
    OutputContent("", [], of: sources)
  }

  /// A picture in a `container`, made of the picture `source`.
  package init(
    _ container: EncoderSettings.Container, of sources: Set<FileIdentity> = [],
    source: SourcePicture? = nil
  ) {
    let descriptor = container.descriptor
    self.init(descriptor.name, descriptor.extensions, of: sources)
    self.source = source
  }

  /// A picture in a `container` that `metadata` describe.
  package init(
    _ container: EncoderSettings.Container, of sources: Set<FileIdentity>,
    _ metadata: CaptureMetadata
  ) {
    self.init(container, of: sources, source: XMPWriter.source(of: metadata))
  }

  /// Whether the extension of `path` means another format. A missing or unknown one does not.
  func isContradicted(by path: [UInt8]) -> Bool {
    let name = path.split(separator: UInt8(ascii: "/")).last ?? []
    guard !extensions.isEmpty, let point = name.lastIndex(of: UInt8(ascii: ".")),
      point > name.startIndex
    else {
      return false
    }
    let ending = String(decoding: name[(point + 1)...], as: UTF8.self).lowercased()
    return !extensions.contains(ending) && Self.known.contains(ending)
  }

  /// Extensions with a meaning: formats written here, raws, and files that accompany pictures.
  private static let known = RawExtensions.all
    .union(EncoderSettings.Container.allCases.flatMap(\.descriptor.extensions))
    .union([
      "avi", "bmp", "cpp", "csv", "cube", "dcp", "doc", "docx", "gif", "hdr", "htm",
      "html", "icc", "icm", "jp2", "json", "log", "md", "mkv", "mov", "mp3", "mp4", "pdf", "pp3",
      "psb", "psd", "py", "rawlook", "sh", "svg", "swift", "toml", "txt", "wav", "webp", "xcf",
      "xls",
      "xlsx", "xml", "xmp", "yaml", "yml",
    ])
}
