import Codecs
import Containers
public import Foundation
import ImageCore
package import RawFilter
package import Recipes

/// What a raw says of itself before its pixels are decoded, as far as recipes and names depend on
/// it. A journal holds it, so that a raw can be planned without being opened.
public struct SourceFacts: Sendable, Hashable, Codable {
  /// SHA-256 of the file, 64 hexadecimal digits; empty where it was not asked for.
  public var sha256: String
  /// Camera maker, from Exif.
  public var make: String?
  /// Camera model, from Exif.
  public var model: String?
  /// Lens name, from Exif or the maker note.
  public var lens: String?
  /// ISO speed.
  public var iso: Int?
  /// Time of capture in local time, `YYYY:MM:DD HH:MM:SS`.
  public var date: String?
  /// Exif orientation, 1…8.
  public var orientation: Int
  /// Names of the camera profiles in the file.
  public var profiles: [String]
  /// Number of pixels of the developed picture at full size.
  public var pixels: Int
  /// Width over height of the picture as stored, before it is turned upright.
  public var aspect: Double
  /// Whether a lens profile for it is known.
  public var hasLensCorrections: Bool
  /// The file's own XMP packet as a zlib stream, as a journal holds one for every raw; nil where it
  /// has no develop settings or is longer than `maxXMPBytes`.
  public var packedXMP: Data?

  /// Longer packets are ignored.
  static let maxXMPBytes = 4 << 20
}

extension SourceFacts {
  /// The facts of an opened raw; does not decode its pixels.
  package init(_ filter: RAWFilter, sha256: String) {
    self.sha256 = sha256
    let metadata = filter.properties
    (make, model, lens) = (metadata.make, metadata.model, metadata.lens)
    (iso, date) = (metadata.isoSpeed, metadata.dateTimeOriginal)
    orientation = filter.orientation.rawValue
    profiles = filter.profiles.map(\.name)
    let size = filter.nativeSize
    (pixels, aspect) = (size.area, Double(size.width) / Double(max(size.height, 1)))
    hasLensCorrections = filter.isLensCorrectionSupported
    if let packet = metadata.xmp, packet.count <= Self.maxXMPBytes {
      let text = String(decoding: packet, as: UTF8.self)
      if text.contains(XMPNamespace.cameraRaw.uri) {
        packedXMP = ZlibStream.deflate(Array(text.utf8)).map { Data($0) }
      }
    }
  }

  /// The file's own XMP packet.
  package var xmp: [UInt8]? {
    packedXMP.flatMap { ZlibStream.inflate([UInt8]($0)[...], maxBytes: Self.maxXMPBytes) }
  }

  /// What rules and name templates depend on.
  package var picture: PictureFacts {
    PictureFacts(
      make: make, model: model, lens: lens, iso: iso.map(Double.init), captureDate: date)
  }

  /// What sidecars of other programs depend on.
  package var raw: RawFacts {
    RawFacts(
      orientation: orientation, storedAspect: aspect, profileNames: Set(profiles),
      hasLensCorrections: hasLensCorrections)
  }
}
