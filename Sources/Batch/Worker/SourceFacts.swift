package import Codecs
import Containers
import Develop
public import Foundation
import ImageCore
import RawFilter
import Recipes
import SystemPackage

/// What a raw says of itself before its pixels are decoded, as far as recipes and names ask for it.
public struct SourceFacts: Sendable, Hashable, Codable {
  /// SHA-256 of the file, hexadecimal.
  public var sha256: String
  /// Maker and model of the camera, as the file says.
  public var make: String?
  /// Model of the camera, as the file says.
  public var model: String?
  /// Name of the lens.
  public var lens: String?
  /// ISO speed.
  public var iso: Int?
  /// Moment of exposure, `YYYY:MM:DD HH:MM:SS`.
  public var date: String?
  /// How the picture is turned, as Exif numbers it.
  public var orientation: Int
  /// Names of the file's camera profiles.
  public var profiles: [String]
  /// Pixels of the picture.
  public var pixels: Int
  /// Width over height of the picture as stored.
  public var aspect: Double
  /// Whether corrections of its lens are known.
  public var hasLensCorrections: Bool
  /// The file's own XMP packet, where it has develop settings, as a zlib stream: it may be long, and journals
  /// hold one for every raw.
  public var packedXMP: Data?

  /// The longest packet that is looked into.
  static let maxXMPBytes = 4 << 20
}

extension SourceFacts {
  init(_ filter: RAWFilter, sha256: String) {
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
  var xmp: [UInt8]? {
    packedXMP.flatMap { ZlibStream.inflate([UInt8]($0)[...], maxBytes: Self.maxXMPBytes) }
  }
}
