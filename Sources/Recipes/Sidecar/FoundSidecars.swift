public import Containers

/// What lies beside a raw file, and what of it counts.
public struct FoundSidecars: Sendable {
  /// Where an XMP packet comes from.
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

  /// The XMP that counts.
  public struct XMP: Sendable {
    /// Where it comes from.
    public let origin: Origin
    /// Its properties.
    public let packet: XMPPacket
  }

  /// An XMP that does not count.
  public struct PassedOver: Sendable, Hashable {
    /// Where it comes from.
    public let origin: Origin
    /// Why.
    public let reason: String
  }

  /// Path of this program's own sidecar, a recipe document; not read yet. Stronger than any XMP.
  public internal(set) var own: [UInt8]?
  /// The one XMP that counts.
  public internal(set) var xmp: XMP?
  /// XMPs that do not.
  public internal(set) var passedOver: [PassedOver] = []
  /// What its owner should mend: a sidecar that cannot be given to one raw, XMP in the file that
  /// cannot be read.
  public internal(set) var warnings: [String] = []
  /// What is only to be known: further versions of the picture that are not developed.
  public internal(set) var notes: [String] = []
}
