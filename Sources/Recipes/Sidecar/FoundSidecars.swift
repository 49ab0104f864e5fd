public import Containers

/// The sidecars of a raw, and which of them are used.
public struct FoundSidecars: Sendable {
  /// The origin of an XMP packet.
  public enum Origin: Sendable, Hashable {
    /// A file, by its path.
    case file([UInt8])
    /// The raw file itself.
    case embedded

    /// For messages.
    public var description: String {
      switch self {
      case .file(let path): RawNames.shown(path)
      case .embedded: "the XMP in the file"
      }
    }
  }

  /// An XMP that is used.
  public struct XMP: Sendable {
    /// Its origin.
    public let origin: Origin
    /// Its properties.
    public let packet: XMPPacket
    /// The packet itself.
    let bytes: [UInt8]
  }

  /// An XMP that is not used.
  public struct PassedOver: Sendable, Hashable {
    /// Its origin.
    public let origin: Origin
    /// Why it is not used, for people.
    public let reason: String
  }

  /// Path of rawdev's own sidecar, a recipe document that is not read yet. It overrides any XMP.
  public internal(set) var own: [UInt8]?
  /// The XMP that is used; nil for none.
  public internal(set) var xmp: XMP?
  /// Descriptive metadata of another program's sidecar: rating, label, keywords, rights, captions,
  /// as an XMP packet; nil without any. From ``xmp`` where it is a file, otherwise from the first
  /// file that belongs to the raw.
  public internal(set) var description: [UInt8]?
  /// Path of the XMP file that ``description`` is from, or, where none has any, of the first XMP
  /// file that belongs to the raw; nil without one.
  public internal(set) var descriptionFile: [UInt8]?
  /// XMPs that are not used.
  public internal(set) var passedOver: [PassedOver] = []
  /// Warnings for people: a sidecar that may belong to several raws, XMP in the file that cannot be
  /// read.
  public internal(set) var warnings: [String] = []
  /// Notes for people: further versions of the picture that are not developed.
  public internal(set) var notes: [String] = []
}
