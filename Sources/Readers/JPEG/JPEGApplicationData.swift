package import Containers
import HDRRender
import ImageCore

// What the application segments of one JPEG image hold: Exif (CIPA DC-008), XMP (ISO 16684-3), an
// ICC profile in segments (ICC.1 annex B.4), the record of ISO 21496-1, IPTC datasets.

extension JPEGSegments {
  /// The TIFF structure of the first Exif segment.
  var exif: [UInt8]? {
    payloads(.exif).first.flatMap { file.bytes($0.lowerBound, $0.count) }
  }

  /// The payload after the prefix of ISO 21496-1: four bytes of versions in the primary image, the
  /// complete record in the gain map image.
  package var gainMapRecord: [UInt8]? {
    payloads(.gainMap).first.flatMap {
      file.bytes($0.lowerBound, $0.count)
    }
  }

  /// The range of the TIFF structure of the multi-picture index.
  package var pictureIndex: Range<Int>? { payloads(.pictures).first }

  /// The XMP packet, with its extension if all of that is there.
  package var xmp: [UInt8]? {
    guard let range = payloads(.xmp).first,
      let packet = file.bytes(range.lowerBound, range.count)
    else { return nil }
    return ExtendedXMP.joined(packet, payloads(.extendedXMP), in: file)
  }

  /// IPTC's datasets among Photoshop's resources, which go on from segment to segment.
  var iptc: [UInt8]? {
    let resources = payloads(.photoshop).compactMap { file.bytes($0.lowerBound, $0.count) }
    return PhotoshopResources.iptc(in: Array(resources.joined()))
  }

  /// Whether there are content credentials, in boxes after the box and packet numbers.
  var hasCredentials: Bool {
    payloads(.boxes).contains { ContentCredentials.areInBox(at: $0.lowerBound + 6, of: file) }
  }

  /// The ICC profile; nil if absent; throws when one of its segments is missing.
  func profile() throws(ReadError) -> [UInt8]? {
    guard let profile else { return nil }
    guard !profile.isEmpty else {
      throw ReadError(.damaged, "a segment of the ICC profile is missing; sRGB is assumed")
    }
    return profile
  }
}
