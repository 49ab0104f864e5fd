import Foundation
import ImageCore
import RawDecode

/// What of a raw decides which entry of a series is its own: the camera, its picture style, and the
/// light.
///
/// Light is the white as shot, log2 of red and blue of a neutral to its green, and whether there
/// was flash. Two frames are in one light where both ratios differ by `reach` at most, which is
/// chosen here. A file that does not say its white has no light, and is in the series of others of
/// its camera that do not.
public struct SeriesFrame: Sendable, Hashable, Codable {
  /// Maker and model.
  public var camera: String
  /// The picture style in the maker's own words or numbers; nil where it is not known.
  public var style: String?
  /// log2 of red and blue to green of the neutral as shot; nil where the file does not say it.
  public var light: [Double]?
  /// Whether flash lit the scene.
  public var isFlash: Bool

  /// A frame of this camera.
  public init(camera: String, style: String? = nil, light: [Double]? = nil, isFlash: Bool = false) {
    (self.camera, self.style, self.light, self.isFlash) = (camera, style, light, isFlash)
  }

  /// Stops by which red or blue of one light differ at most.
  static let reach = 0.15
  /// What ``light`` may be; others are none.
  static let lights: ClosedRange<Double> = -20...20

  func isIn(_ other: SeriesFrame) -> Bool {
    guard camera == other.camera, style == other.style, isFlash == other.isFlash else {
      return false
    }
    guard let light, let center = other.light else { return light == nil && other.light == nil }
    return zip(light, center).allSatisfy { abs($0 - $1) <= Self.reach + 1e-9 }
  }
}

/// A frame, and the colors that it is rendered from.
package struct SeriesKey: Sendable, Hashable, Codable {
  package var frame: SeriesFrame
  /// The camera profile that the settings name; nil for the file's own colors.
  package var colors: String?

  package init(_ frame: SeriesFrame, _ settings: RAWSettings, colorMatrix: [Double]?) {
    self.frame = frame
    if let colorMatrix {
      colors = colorMatrix.map { "\($0)" }.joined(separator: " ")
    } else if let path = settings.profilePath {
      colors = path.split(separator: "/").last.map(String.init)
    } else {
      colors = settings.profileName
    }
  }

  /// Whether the entry of `other` is that of this frame.
  package func isIn(_ other: SeriesKey) -> Bool {
    colors == other.colors && frame.isIn(other.frame)
  }
}

extension RAWFilter {
  /// What decides which entry of a series is its own. Decodes nothing.
  package var seriesFrame: SeriesFrame {
    let (info, metadata) = (picture.file.info, picture.file.metadata)
    let neutral: SIMD3<Double>? =
      switch info.asShot {
      case .neutral(let values): values
      case .white(let white): info.profile?.neutral(for: white)
      case .unknown: nil
      }
    var isFlash = false
    if case .shorts(let flags)? = metadata[.exif, 0x9209] { isFlash = (flags.first ?? 0) & 1 == 1 }
    return SeriesFrame(
      // A DNG of the same camera is rendered from other colors.
      camera: info.cameraName + (info.isDNG ? " (DNG)" : ""),
      style: picture.file.cameraRendering.style,
      light: neutral.flatMap { neutral in
        let ratios = [neutral.x, neutral.z].map { log2($0 / neutral.y) }
        guard ratios.allSatisfy(SeriesFrame.lights.contains) else { return nil }
        return ratios.map { ($0 * 1000).rounded() / 1000 }
      }, isFlash: isFlash)
  }

  package var seriesKey: SeriesKey { SeriesKey(seriesFrame, settings, colorMatrix: colorMatrix) }
}
