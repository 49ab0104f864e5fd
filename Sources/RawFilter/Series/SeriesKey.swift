import Foundation
import ImageCore
import RawDecode

/// The properties of a raw that select its entry of a series: camera, picture style and light.
///
/// Light is the white as shot, log2 of red and blue of a neutral relative to its green, and whether
/// flash was used. Two frames have the same light if both ratios differ by at most `reach`. A file
/// without a white only matches other files of its camera without one.
public struct SeriesFrame: Sendable, Hashable, Codable {
  /// Maker and model.
  public var camera: String
  /// The picture style in the maker's own words or numbers; nil if unknown.
  public var style: String?
  /// log2 of red and blue relative to green of the neutral as shot; nil if not declared.
  public var light: [Double]?
  /// Whether flash lit the scene.
  public var isFlash: Bool

  /// A frame of this camera.
  public init(camera: String, style: String? = nil, light: [Double]? = nil, isFlash: Bool = false) {
    (self.camera, self.style, self.light, self.isFlash) = (camera, style, light, isFlash)
  }

  /// Maximum difference of red or blue of the same light, in stops.
  static let reach = 0.15
  /// Range of ``light``.
  static let lights: ClosedRange<Double> = -20...20

  func isIn(_ other: SeriesFrame) -> Bool {
    guard camera == other.camera, style == other.style, isFlash == other.isFlash else {
      return false
    }
    guard let light, let center = other.light else { return light == nil && other.light == nil }
    return zip(light, center).allSatisfy { abs($0 - $1) <= Self.reach + 1e-9 }
  }
}

/// A frame, and the color source that it is rendered with.
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

  /// Whether the entry of `other` applies to this frame.
  package func isIn(_ other: SeriesKey) -> Bool {
    colors == other.colors && frame.isIn(other.frame)
  }
}

extension RAWFilter {
  /// The properties that select its entry of a series. Decodes nothing.
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
      // A DNG of the same camera has other color matrices.
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
