/// What holds for a raw at some settings.
package struct TuningState: Sendable, Codable {
  /// Columns of the finished picture.
  package var width: Int
  /// Rows of the finished picture.
  package var height: Int
  /// Columns without crop, angle and perspective.
  package var uncroppedWidth: Int
  /// Rows without crop, angle and perspective.
  package var uncroppedHeight: Int
  /// Headroom that the file holds, as a multiple of reference white.
  package var fileHeadroom: Float
  /// Every property with its value on this file, in the order of `RAWProperty.all`.
  package var adjustments: [Item]
  /// Names of the file's camera profiles.
  package var profiles: [String]
  /// Warnings about the file.
  package var warnings: [String]

  /// A property on this file.
  package struct Item: Sendable, Codable {
    /// CIRAWFilter's name.
    package var name: String
    /// Its number, 1 and 0 for on and off; nil for other values.
    package var value: Float?
    /// Why it has no effect on this file or at these settings; nil where it has.
    package var withoutEffect: String?
  }
}

/// The distribution of a picture's values over stops.
package struct LuminanceHistogram: Sendable, Codable, Equatable {
  /// Stops from reference white of the lower edge of the first bin.
  package var firstStop: Float
  /// Bins for each stop.
  package var binsPerStop: Int
  /// Fractions of the pixels in each bin of their red, in BT.2020. Values outside the bins,
  /// including black, are counted in the first or last one.
  package var red: [Float]
  /// The same of green.
  package var green: [Float]
  /// The same of blue.
  package var blue: [Float]
  /// The same of luminance.
  package var luminance: [Float]
  /// Fractions of the photosites of red, green and blue that are saturated at the sensor.
  package var saturated: [Float]
  /// Brightest value of the picture, as a multiple of reference white.
  package var contentHeadroom: Float
}

/// What is known of one pixel.
package struct PixelReadout: Sendable, Codable {
  /// Scene-linear BT.2020 as it enters the tone curve, 1.0 = reference white.
  package var scene: [Float]
  /// Stops of its luminance from reference white; nil at black.
  package var stops: Float?
  /// Luminances of red, green and blue in BT.2020 in the HDR rendition, cd/m².
  package var nits: [Float]
  /// 10-bit code values of the same in HLG, full range.
  package var hlg: [Int]
  /// The same in PQ.
  package var pq: [Int]
  /// 8-bit code values of the SDR rendition in sRGB.
  package var sdr: [Int]
  /// Which of red, green and blue are saturated at the sensor.
  package var saturated: [Bool]
}
