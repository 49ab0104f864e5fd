/// What holds for a raw at some settings.
public struct TuningState: Sendable, Codable {
  /// Columns of the finished picture.
  public var width: Int
  /// Rows of the finished picture.
  public var height: Int
  /// Columns without crop, angle and perspective.
  public var uncroppedWidth: Int
  /// Rows without crop, angle and perspective.
  public var uncroppedHeight: Int
  /// Headroom that the file holds, as a multiple of reference white.
  public var fileHeadroom: Float
  /// Every property with its value on this file, in the order of `RAWProperty.all`.
  public var adjustments: [Item]
  /// Names of the file's camera profiles.
  public var profiles: [String]
  /// Warnings about the file.
  public var warnings: [String]

  /// A property on this file.
  public struct Item: Sendable, Codable {
    /// CIRAWFilter's name.
    public var name: String
    /// Its number, 1 and 0 for on and off; nil for other values.
    public var value: Float?
    /// Why it has no effect on this file or at these settings; nil where it has.
    public var withoutEffect: String?
  }
}

/// The distribution of a picture's values over stops.
public struct LuminanceHistogram: Sendable, Codable, Equatable {
  /// Stops from reference white of the lower edge of the first bin.
  public var firstStop: Float
  /// Bins for each stop.
  public var binsPerStop: Int
  /// Fractions of the pixels in each bin of their red, in BT.2020. Values outside the bins,
  /// including black, are counted in the first or last one.
  public var red: [Float]
  /// The same of green.
  public var green: [Float]
  /// The same of blue.
  public var blue: [Float]
  /// The same of luminance.
  public var luminance: [Float]
  /// Fractions of the photosites of red, green and blue that are saturated at the sensor.
  public var saturated: [Float]
  /// Brightest value of the picture, as a multiple of reference white.
  public var contentHeadroom: Float
}

/// What is known of one pixel.
public struct PixelReadout: Sendable, Codable {
  /// Scene-linear BT.2020 as it enters the tone curve, 1.0 = reference white.
  public var scene: [Float]
  /// Stops of its luminance from reference white; nil at black.
  public var stops: Float?
  /// Luminances of red, green and blue in BT.2020 in the HDR rendition, cd/m².
  public var nits: [Float]
  /// 10-bit code values of the same in HLG, full range.
  public var hlg: [Int]
  /// The same in PQ.
  public var pq: [Int]
  /// 8-bit code values of the SDR rendition in sRGB.
  public var sdr: [Int]
  /// Which of red, green and blue are saturated at the sensor.
  public var saturated: [Bool]
}
