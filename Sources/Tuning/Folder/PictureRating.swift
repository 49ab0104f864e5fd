import Containers
import ImageCore
import Recipes

/// The stars of a picture: 1 to 5, 0 for none, -1 for rejected.
enum PictureRating {
  /// The rating in the XMP or profile beside the raw `name` in `folder`; nil if missing or
  /// unreadable.
  static func beside(_ name: [UInt8], in folder: [UInt8], _ listing: FolderListing) -> Int? {
    let found = try? SidecarFinder(folder: folder, listing: listing).sidecars(of: name)
    return found?.description.flatMap(Self.in(packet:))
  }

  /// The rating in an XMP packet.
  static func `in`(packet: [UInt8]) -> Int? {
    XMPPacket(lenient: packet)[.rating]?.number.flatMap(stars)
  }

  /// The rating in the raw itself: in its XMP, else in Exif.
  static func embedded(_ metadata: CaptureMetadata) -> Int? {
    if let rating = metadata.xmp.flatMap(Self.in(packet:)) { return rating }
    guard case .shorts(let stars)? = metadata[.image, TIFFTag.rating] else { return nil }
    return stars.first.flatMap { Self.stars(Double($0)) }
  }

  private static func stars(_ number: Double) -> Int? {
    let stars = Int(exactly: number.rounded())
    return stars.flatMap { (-1...5).contains($0) ? $0 : nil }
  }
}
