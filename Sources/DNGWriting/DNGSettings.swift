/// Settings for writing a DNG.
package struct DNGSettings: Sendable, Hashable {
  /// Compression of the samples. Lossless, except JPEG XL with a ``distance``.
  package enum Compression: String, Sendable, Hashable, CaseIterable {
    /// Lossless JPEG for integers; Deflate for floating point, which lossless JPEG does not
    /// support.
    case losslessJPEG = "lossless-jpeg"
    /// Deflate with a predictor, for floating point alone (DNG 1.7.1, chapter 3).
    case deflate
    /// JPEG XL (DNG 1.7) for integers; Deflate for floating point, since libjxl loses the smallest
    /// half floats.
    case jpegXL = "jpeg-xl"
    case none
  }

  package var compression = Compression.losslessJPEG
  /// Distance of JPEG XL in just noticeable differences, up to ``maxDistance``; 0 for lossless.
  package var distance: Float = 0
  /// Effort of JPEG XL, 1…9.
  package var effort = Self.defaultEffort
  /// Whether the written samples are read again and compared before the file is renamed.
  package var verifies = true
  /// Number of threads.
  package var workers: Int

  package static let defaultEffort = 3
  package static let maxDistance: Float = 15

  package init(workers: Int) { self.workers = workers }

  var isLossy: Bool { compression == .jpegXL && distance > 0 }
}

/// The pictures in addition to the raw one.
package struct DNGPreviews: Sendable, Hashable {
  /// A small unrotated sRGB picture, three bytes per pixel.
  package struct Thumbnail: Sendable, Hashable {
    package var width, height: Int
    package var rgb: [UInt8]

    package init(width: Int, height: Int, rgb: [UInt8]) {
      (self.width, self.height, self.rgb) = (width, height, rgb)
    }
  }

  /// The picture of IFD 0; if nil the raw picture is in IFD 0, and no other picture is written.
  package var thumbnail: Thumbnail?
  /// A JPEG, copied byte for byte.
  package var jpeg: [UInt8]?
  /// Whether the previews of a source DNG are preserved, instead of both.
  package var keepsOwn: Bool
  /// Whether both were rendered from the raw, and not by the camera.
  package var isDrawn: Bool

  package init(
    thumbnail: Thumbnail? = nil, jpeg: [UInt8]? = nil, keepsOwn: Bool = false, isDrawn: Bool = false
  ) {
    (self.thumbnail, self.jpeg, self.keepsOwn) = (thumbnail, jpeg, keepsOwn)
    self.isDrawn = isDrawn
  }

  /// Only the raw picture.
  package static let none = DNGPreviews()
}
