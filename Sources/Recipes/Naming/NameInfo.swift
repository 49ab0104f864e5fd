/// The values of the tokens of a name template.
public struct NameInfo: Sendable, Hashable {
  /// Name of the raw without its extension.
  public var stem: [UInt8]
  /// Extension of the raw, without the dot.
  public var ext: [UInt8]
  /// Folder of the raw relative to the input folder; empty for the input folder itself.
  public var folder: [UInt8]
  /// Name of the output in the recipe.
  public var output: String
  /// Format of the output.
  public var format: String
  /// Metadata of the raw.
  public var picture: PictureInfo

  /// Values of tokens; those that are left out are `unknown` in names.
  public init(
    stem: [UInt8], ext: [UInt8] = [], folder: [UInt8] = [], output: String = "",
    format: String = "", picture: PictureInfo = PictureInfo()
  ) {
    (self.stem, self.ext, self.folder) = (stem, ext, folder)
    (self.output, self.format, self.picture) = (output, format, picture)
  }

  /// Maximum number of bytes of a fact in a name.
  private static let maxFact = 80

  func value(of token: NameTemplate.Token) -> [UInt8] {
    switch token {
    case .stem: Self.safe(stem)
    case .ext: Self.safe(ext)
    case .output: Self.safe(Array(output.utf8))
    case .format: Self.safe(Array(format.utf8))
    case .camera: Self.safe(picture.camera)
    case .lens: Self.safe(picture.lens)
    case .iso:
      Self.safe(
        picture.iso.flatMap { iso in
          guard iso.isFinite, iso > 0 else { return nil }
          return Int(exactly: iso.rounded()).map { String($0) }
        })
    // The template inserts these.
    case .folder, .date: []
    }
  }

  /// The folder, with each component made safe.
  var folderPath: [UInt8] {
    let parts = folder.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }
    return Array(parts.map { Self.safe(Array($0)) }.joined(separator: [UInt8(ascii: "/")]))
  }

  /// A fact of the picture, made safe for names on all file systems.
  static func safe(_ text: String?) -> [UInt8] {
    guard let text else { return Array("unknown".utf8) }
    let refused = Set("\\:*?\"<>|".unicodeScalars)
    var out: [UInt8] = []
    for scalar in text.unicodeScalars {
      let isRefused = refused.contains(scalar) || (0x7F...0x9F).contains(scalar.value)
      let bytes = isRefused ? [UInt8(ascii: "_")] : Array(String(Character(scalar)).utf8)
      guard out.count + bytes.count <= maxFact else { break }
      out += bytes
    }
    let end = out.lastIndex { $0 != 0x20 && $0 != 0 }.map { $0 + 1 } ?? 0
    return safe(Array(out[..<end].drop { $0 == 0x20 }))
  }

  /// A component of a path, made safe as part of another one.
  static func safe(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return Array("unknown".utf8) }
    return withoutLeadingDot(
      bytes.map { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 })
  }

  static func withoutLeadingDot(_ bytes: [UInt8]) -> [UInt8] {
    bytes.first == UInt8(ascii: ".") ? [UInt8(ascii: "_")] + bytes.dropFirst() : bytes
  }
}
