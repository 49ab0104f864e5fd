import Codecs
import Containers
public import Foundation
import ImageCore
public import RawFilter
package import Recipes

/// The metadata of a raw that recipes and names depend on. Journals record them, so that a raw can
/// be planned without being opened. Pixels are not decoded.
public struct SourceInfo: Sendable, Hashable, Codable {
  /// XXH3 of the file in 128 bits, 32 hexadecimal digits, as `xxh128sum` prints them; empty where
  /// it was not computed.
  public var xxh128: String
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
  /// Width divided by height of the picture as stored, before orientation.
  public var aspect: Double
  /// Whether there are lens corrections, in the file or in the lens database.
  public var hasLensCorrections: Bool
  /// How it was exposed; nil in records of earlier releases.
  public var exposure: ExposureInfo?
  /// What decides on its entry in a series; nil in records of earlier releases.
  public var series: SeriesFrame?
  /// The file's own XMP packet as a zlib stream; nil where it has no develop settings or is longer
  /// than `maxXMPBytes`.
  public var packedXMP: Data?

  /// Longer packets are ignored.
  static let maxXMPBytes = 4 << 20
}

extension SourceInfo {
  /// The metadata of an opened raw.
  package init(_ filter: RAWFilter, xxh128: String) {
    self.xxh128 = xxh128
    let metadata = filter.properties
    (make, model, lens) = (metadata.make, metadata.model, metadata.lens)
    (iso, date) = (metadata.isoSpeed, metadata.dateTimeOriginal)
    orientation = filter.orientation.rawValue
    profiles = filter.profiles.map(\.name)
    exposure = ExposureInfo(metadata)
    series = filter.seriesFrame
    let size = filter.nativeSize
    (pixels, aspect) = (size.area, Double(size.width) / Double(max(size.height, 1)))
    hasLensCorrections = filter.isLensCorrectionSupported
    if let packet = metadata.xmp, packet.count <= Self.maxXMPBytes,
      packet[...].contains(subsequence: XMPNamespace.cameraRaw.uri)
    {
      let text = String(decoding: packet, as: UTF8.self)
      packedXMP = ZlibStream.deflate(Array(text.utf8)).map { Data($0) }
    }
  }

  /// The file's own XMP packet.
  package var xmp: [UInt8]? {
    packedXMP.flatMap { ZlibStream.inflate([UInt8]($0)[...], maxBytes: Self.maxXMPBytes) }
  }

  /// The metadata that rules and name templates depend on.
  package var picture: PictureInfo {
    PictureInfo(
      make: make, model: model, lens: lens, iso: iso.map(Double.init), captureDate: date)
  }

  /// The metadata that sidecars of other programs depend on.
  package var raw: RawTraits {
    RawTraits(
      orientation: orientation, storedAspect: aspect, profileNames: Set(profiles),
      hasLensCorrections: hasLensCorrections)
  }
}
