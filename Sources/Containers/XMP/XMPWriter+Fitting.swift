package import ImageCore

extension XMPWriter {
  /// A packet for a format with a limit on its size.
  package struct Fitted: Sendable {
    /// What is written.
    package let packet: [UInt8]
    /// What a format without a limit would have.
    package let complete: [UInt8]
    /// What was left out, one sentence each.
    package let notes: [String]
  }

  /// Maximum bytes of a property where not all of them fit: as much as the longest text of IPTC,
  /// its description, with its markup.
  private static let longestProperty = 2200

  /// The packet of a finished picture, in a format that holds `limit` bytes. A longer one loses
  /// first what is not for others to find and use the picture by, then the long lists and texts of
  /// that. Where that is too long as well, which takes hundreds of properties on rights, everything
  /// of the source goes.
  package static func fitted(
    _ metadata: CaptureMetadata, format: String, descriptions: [String] = [], limit: Int
  ) -> Fitted {
    let (metadata, notes) = metadata.joiningIPTC()
    let tree = XMLTree(XMPPacket.utf8(metadata.xmp ?? []) ?? [], .lenient)
    func packet(_ isWanted: (XMPName, Int) -> Bool) -> [UInt8] {
      let source = XMPSelection(tree) { FinishedProperties.contains($0) && isWanted($0, $1) }
      let own = description(of: metadata, format, besides: source.names)
      return Self.packet(descriptions: [own] + source.descriptions + descriptions)
    }
    let complete = packet { _, _ in true }
    guard complete.count > limit else {
      return Fitted(packet: complete, complete: complete, notes: notes)
    }
    func note(_ rest: String) -> String { "the source's XMP does not fit the format; " + rest }
    let isOfRights: (XMPName) -> Bool = { FinishedProperties.isWithoutLocations($0) }
    let isOfIPTC: (XMPName) -> Bool = { IPTCProperty.names.contains($0) }
    let parts: [(isWanted: (XMPName, Int) -> Bool, note: String)] = [
      (
        { name, _ in isOfRights(name) || isOfIPTC(name) },
        note("only rights, rating, label and IPTC were kept")
      ),
      (
        { name, bytes in
          isOfRights(name) || isOfIPTC(name) && bytes <= Self.longestProperty
        },
        note("only rights, rating, label and short IPTC values were kept")
      ),
      (
        { name, bytes in
          (isOfRights(name) || isOfIPTC(name)) && bytes <= Self.longestProperty
        },
        note("only short values of rights, rating, label and IPTC were kept")
      ),
    ]
    for part in parts {
      let shorter = packet(part.isWanted)
      if shorter.count <= limit {
        return Fitted(packet: shorter, complete: complete, notes: notes + [part.note])
      }
    }
    return Fitted(
      packet: packet { _, _ in false }, complete: complete, notes: notes + [note("it was left out")]
    )
  }
}
