/// How a DNG is written.
package struct DNGSettings: Sendable, Hashable {
  /// How the samples are stored. None of them loses anything, but JPEG XL of a ``distance``.
  package enum Compression: String, Sendable, Hashable, CaseIterable {
    /// Lossless JPEG for integers; Deflate for floating point, which lossless JPEG does not hold.
    case losslessJPEG = "lossless-jpeg"
    /// Deflate with a predictor, for floating point alone (DNG 1.7.1, chapter 3).
    case deflate
    /// JPEG XL (DNG 1.7) for integers; Deflate for floating point, of which libjxl loses the
    /// smallest halves.
    case jpegXL = "jpeg-xl"
    case none
  }

  package var compression = Compression.losslessJPEG
  /// Loss of JPEG XL in just noticeable differences, up to ``maxDistance``; 0 for none.
  package var distance: Float = 0
  /// Effort of JPEG XL, 1…9.
  package var effort = Self.defaultEffort
  /// Whether the written samples are read again and compared before the file gets its name.
  package var verifies = true
  /// Threads.
  package var workers: Int

  package static let defaultEffort = 3
  package static let maxDistance: Float = 15

  package init(workers: Int) { self.workers = workers }

  var isLossy: Bool { compression == .jpegXL && distance > 0 }
}

/// The pictures beside the raw one.
package struct DNGPreviews: Sendable, Hashable {
  /// A small picture in sRGB, not turned, three bytes a pixel.
  package struct Thumbnail: Sendable, Hashable {
    package var width, height: Int
    package var rgb: [UInt8]

    package init(width: Int, height: Int, rgb: [UInt8]) {
      (self.width, self.height, self.rgb) = (width, height, rgb)
    }
  }

  /// What IFD 0 shows; without one the raw picture is in IFD 0, and no other picture is written.
  package var thumbnail: Thumbnail?
  /// A JPEG, copied byte for byte.
  package var jpeg: [UInt8]?
  /// Whether those that a DNG has are kept, in place of both.
  package var keepsOwn: Bool
  /// Whether both were drawn from the raw, and are none of the camera's.
  package var isDrawn: Bool

  package init(
    thumbnail: Thumbnail? = nil, jpeg: [UInt8]? = nil, keepsOwn: Bool = false, isDrawn: Bool = false
  ) {
    (self.thumbnail, self.jpeg, self.keepsOwn) = (thumbnail, jpeg, keepsOwn)
    self.isDrawn = isDrawn
  }

  /// No pictures but the raw one.
  package static let none = DNGPreviews()
}
