package import ImageCore
package import RawFilter

/// A picture that is asked for.
package struct TuningRequest: Sendable {
  /// What is marked in the picture.
  package enum Overlay: String, Sendable, Codable, CaseIterable {
    /// Channels that are saturated at the sensor.
    case sensorClipping
    /// Colors outside of the output's gamut.
    case gamut
    /// Steps of one stop above reference white.
    case highlights
  }

  /// How pixels are delivered.
  package enum Form: String, Sendable, Codable, CaseIterable {
    /// 8 bits each of red, green, blue, and 255, row by row.
    case rgba8
    /// An AVIF in PQ, 10 bits, 4:4:4.
    case avif
    /// A JPEG.
    case jpeg
  }

  /// The settings; `RAWSettings.scaleFactor` applies to the finished picture.
  package var settings: RAWSettings
  /// The highest displayed luminance, as a multiple of reference white, 1 and more; nil for no
  /// limit.
  package var headroomLimit: Float?
  /// The displayed part of the finished picture, in its pixels; nil for all.
  package var part: PixelRect?
  /// Longest sides of the result, pixels: it is reduced to fit, never enlarged. 100 % where `part`
  /// fits.
  package var fit: PixelSize
  /// How pixels are delivered.
  package var form = Form.rgba8
  /// Whether values above reference white are displayed. Without them the picture is the SDR
  /// rendition.
  package var isHDR = false
  /// Stops that the picture is made darker to look at highlights in SDR, 0…4; the HDR rendition
  /// darkened, then clipped.
  package var stopsDown: Float = 0
  /// Display P3 instead of sRGB for ``Form/rgba8`` and ``Form/jpeg``.
  package var isWideGamut = false
  /// What is marked.
  package var overlays: Set<Overlay> = []
  /// Whether the picture may be a draft, made sooner while a hand moves the white: see
  /// ``TuningPicture/isDraft``.
  package var allowsDraft = false
  /// Whether the crop, angle and perspective are left out, to set them by eye.
  package var isUncropped = false

  /// The full picture, to fit `fit`.
  package init(settings: RAWSettings, fit: PixelSize) {
    (self.settings, self.fit) = (settings, fit)
  }
}

/// A picture as it was asked for.
package struct TuningPicture: Sendable {
  /// The bytes in the form that was asked for.
  package var bytes: [UInt8]
  /// Columns and rows of the result.
  package var size: PixelSize
  /// The part of the finished picture that it shows.
  package var part: PixelRect
  /// Size of the finished picture.
  package var finishedSize: PixelSize
  /// Brightest value that it can hold, as a multiple of reference white.
  package var headroom: Float
  /// Whether pixels around saturated photosites, and the brightest value, come from another white:
  /// pixels saturated in all channels are neutral under the current white all the same.
  package var isDraft: Bool
}
