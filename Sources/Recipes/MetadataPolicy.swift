import Containers
public import ImageCore

/// Which of its source's metadata a file carries. The raw value is the name in recipes and on the
/// command line.
public enum MetadataPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// All of it.
  case all
  /// All except the location: no GPS entries, no maker note, and of XMP and IPTC only rights,
  /// rating and label, since other fields may name locations.
  case noLocation
  /// Camera, lens, exposure, date, artist, copyright and other rights.
  case minimal
  /// Nothing.
  case none

  /// Tags of `minimal`: make, model, artist, copyright; exposure time, f-number, ISO speed, date
  /// and its time zone, focal lengths, lens.
  private static let minimalTags: [ExifEntry.Directory: Set<UInt16>] = [
    .image: [0x010F, 0x0110, 0x013B, 0x8298],
    .exif: [
      0x829A, 0x829D, 0x8827, 0x8830, 0x9003, 0x9011, 0x9204, 0x920A, 0xA405, 0xA432, 0xA433,
      0xA434,
    ],
  ]

  /// The part of `metadata` that the file carries.
  public func applied(to metadata: CaptureMetadata) -> CaptureMetadata {
    var filtered =
      switch self {
      case .all: metadata
      case .noLocation:
        part(
          of: metadata, entries: { $0.directory != .gps },
          xmp: {
            FinishedProperties.isWithoutLocations($0) || FinishedProperties.isDocumentID($0)
          })
      case .minimal:
        part(
          of: metadata,
          entries: { Self.minimalTags[$0.directory]?.contains($0.tag) ?? false },
          xmp: FinishedProperties.isOfRights)
      case .none: CaptureMetadata()
      }
    // What may be replaced depends on it, also where it is not said.
    filtered.derivation = metadata.derivation
    filtered.derivation?.isWritten = namesSource
    return filtered
  }

  /// Whether the file carries the IDs of its document and of its source, and a recipe.
  var namesSource: Bool { self == .all || self == .noLocation }

  private func part(
    of metadata: CaptureMetadata, entries isIncluded: (ExifEntry) -> Bool,
    xmp isWanted: (XMPName) -> Bool
  ) -> CaptureMetadata {
    let xmp = XMPSelection(metadata.withIPTCInXMP.xmp ?? [], where: isWanted)
    return CaptureMetadata(
      entries: metadata.entries.filter(isIncluded),
      xmp: xmp.names.isEmpty ? nil : XMPWriter.packet(descriptions: xmp.descriptions))
  }
}
