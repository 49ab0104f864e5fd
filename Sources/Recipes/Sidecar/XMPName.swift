/// The name of an XMP property: what counts is the namespace's URI; a file's prefixes are its own
/// choice.
public struct XMPName: Sendable, Hashable {
  /// URI of the namespace.
  public let namespace: String
  /// Name within it.
  public let name: String

  /// The property `name` of `namespace`.
  public init(_ namespace: String, _ name: String) {
    self.namespace = namespace
    self.name = name
  }

  /// RDF's own vocabulary, which XMP is written in.
  public static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  /// Settings of Camera Raw and Lightroom.
  public static let cameraRaw = "http://ns.adobe.com/camera-raw-settings/1.0/"
  /// TIFF's tags.
  public static let tiff = "http://ns.adobe.com/tiff/1.0/"
  /// Photoshop's properties.
  public static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
  /// Media management.
  public static let media = "http://ns.adobe.com/xap/1.0/mm/"
  /// Settings of darktable.
  public static let darktable = "http://darktable.sf.net/"
  /// XML's own attributes.
  static let xml = "http://www.w3.org/XML/1998/namespace"
}

/// The value of an XMP property.
public indirect enum XMPValue: Sendable, Hashable {
  /// A text; numbers and truth values are texts too.
  case text(String)
  /// The items of an rdf:Seq, rdf:Bag or rdf:Alt.
  case list([XMPValue])
  /// Fields of their own: never fields of what holds the structure.
  case structure([XMPName: XMPValue])

  /// The text, without white space around it; nil for lists and structures.
  public var text: String? {
    guard case .text(let text) = self else { return nil }
    return text.trimmingSpace
  }

  /// The finite decimal number that the text is.
  public var number: Double? {
    // Double(_:) takes "nan" and hexadecimal numbers as well.
    guard let text, text.utf8.allSatisfy({ (0x2B...0x39).contains($0) || $0 | 0x20 == 0x65 }),
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }

  /// The truth value that the text is: True, False, 1 or 0.
  public var truth: Bool? {
    switch text?.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  /// The value of `name` in a structure.
  public subscript(name: XMPName) -> XMPValue? {
    guard case .structure(let fields) = self else { return nil }
    return fields[name]
  }

  /// One short line for reports, safe to show on a terminal.
  public var summary: String {
    switch self {
    case .list(let items):
      return items.count == 1 ? "1 item" : "\(items.count) items"
    case .structure(let fields):
      let name = fields.first { $0.key.name == "Name" }?.value.text
      return name ?? (fields.count == 1 ? "1 field" : "\(fields.count) fields")
    case .text(let text):
      let shown = text.trimmingSpace.unicodeScalars.prefix(81).map { scalar in
        scalar.properties.generalCategory == .control ? " " : String(scalar)
      }
      return shown.count > 80 ? shown.prefix(79).joined() + "…" : shown.joined()
    }
  }
}

extension String {
  /// Without XML's white space at both ends.
  var trimmingSpace: String {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = utf8.firstIndex(where: { !isSpace($0) }),
      let last = utf8.lastIndex(where: { !isSpace($0) })
    else { return "" }
    let isWhole = first == utf8.startIndex && utf8.index(after: last) == utf8.endIndex
    return isWhole ? self : String(Substring(utf8[first...last]))
  }
}
