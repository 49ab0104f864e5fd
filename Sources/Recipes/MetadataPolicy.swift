public import ImageCore

/// Which of a raw's metadata a file carries. The raw value is the name in recipes and on the
/// command line.
public enum MetadataPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// All of it.
  case all
  /// All but the location: no GPS entries, and no XMP packet of the raw, which may name places.
  case noLocation
  /// Camera, lens, exposure, date, artist and copyright.
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
    switch self {
    case .all: metadata
    case .noLocation: CaptureMetadata(entries: metadata.entries.filter { $0.directory != .gps })
    case .minimal:
      CaptureMetadata(
        entries: metadata.entries.filter {
          Self.minimalTags[$0.directory]?.contains($0.tag) ?? false
        })
    case .none: CaptureMetadata()
    }
  }
}
