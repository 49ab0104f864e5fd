import Foundation
public import ImageCore

/// Makes the gain map from an SDR rendition to an HDR one.
///
/// Source: ISO 21496-1:2025. For each pixel r = log2((high + k) / (standard + k)), of luminance or
/// of each channel; the map's samples are such that, enlarged, its mean over each area is that of r
/// (`GainMapPrefilter`); v = ((r − min) / (max − min))^γ in eight bits. One channel takes
/// luminance, not the largest channel: applied to all channels, its gain gives the HDR rendition's
/// luminance exactly, whatever the color, since k is the same for all; other writers' one-channel
/// maps hold the same; and single saturated channels cannot drive it. Constants: half size each
/// way, rounded up, unless full size is requested; k = 1/64 unless given; γ = 1, since stops are
/// perceptually even already. min and max are taken over the mean gains without 1/100,000 of them
/// at each end (none in small maps), rounded outward to 1/256 stop, so that neither an outlier nor
/// ripple widens the steps: eight bits over 4 stops are steps of 0.016. Headrooms are measured on
/// both renditions. Known failures: at half size detail in the gain finer than two pixels is lost,
/// edges of highlights carry a ripple of up to 15 % of the step in stops, two pixels wide; one
/// channel cannot change hue or saturation.
public struct GainMapCreation: Sendable, Hashable {
  /// The channels of the map.
  public enum Kind: Sendable, Hashable {
    /// One gain, from luminance.
    case luminance
    /// A gain for each of red, green and blue.
    case rgb
  }

  /// The size of the map relative to the picture.
  public enum Scale: String, Sendable, Hashable, Codable, CaseIterable {
    /// Half the picture's columns and rows, as phones write it and Apple's editing rules require.
    case half
    /// The picture's size: a larger file, with all detail of the gain.
    case full
  }

  /// A map and its parameters.
  public struct Result: Sendable {
    /// The map, eight bits a sample.
    public let image: GainMapImage
    /// Its parameters.
    public let metadata: GainMapMetadata
    /// Content light levels of the HDR rendition.
    public let highLight: ContentLightStatistics
  }

  /// Fraction of the gains that is left out at each end.
  static let tail = 1e-5

  let kind: Kind
  let scale: Scale
  let gamma: Double
  let offset: Double
  let isBaseHDR: Bool

  /// Throws when γ is not positive or the offset below 2^−20. `isBaseHDR` says whether the file's
  /// base is the HDR rendition; the map is the same.
  public init(
    kind: Kind = .luminance, scale: Scale = .half, gamma: Double = 1,
    offset: Double = GainMapMetadata.Channel.defaultOffset, isBaseHDR: Bool = false
  ) throws(GainMapError) {
    guard gamma.isFinite, gamma > 0, offset.isFinite, offset >= 0x1p-20 else {
      throw GainMapError(
        .badSetting, "gamma is \(gamma) and the offset \(offset); give more than 0 and 2^-20")
    }
    self.kind = kind
    self.scale = scale
    self.gamma = gamma
    self.offset = offset
    self.isBaseHDR = isBaseHDR
  }

  /// The map from `standard` to `high`. Reads each of them once. Where their primaries differ,
  /// gains are computed in the primaries of `high`. Throws when the sizes differ or are empty.
  public func map(
    from standard: any PixelSource<DisplayReferred>, to high: any PixelSource<DisplayReferred>,
    workers: Int = Parallel.defaultWorkers
  ) throws(GainMapError) -> Result {
    let measurement = try GainMapMeasurement(self, standard: standard, high: high)
    try GainMapError.translating { () throws(PixelError) in
      try PictureBands(measurement, unit: 2, workers: workers).forEach { _, _ throws(PixelError) in
      } consume: { _, _ throws(PixelError) in
      }
    }
    return try measurement.result()
  }

  /// The map of `gains`, which are complete, between two renditions.
  func map(
    _ gains: GainRatios, standard: DisplayReferred.Info, _ standardLevels: ContentLightStatistics,
    high: DisplayReferred.Info, _ highLight: ContentLightStatistics
  ) throws(GainMapError) -> Result {
    let ranges = gains.finish().map { $0.range(without: Self.tail) }
    let base = max(Double(min(standardLevels.contentHeadroom, standard.headroom)), 1)
    // A lone pixel above the declared headroom is an error of the rendition.
    let top = max(Double(min(highLight.contentHeadroom, high.headroom)), base)
    var channels: [GainMapMetadata.Channel] = []
    for range in ranges {
      channels.append(
        try GainMapMetadata.Channel(
          minimumStops: range.lowerBound, maximumStops: range.upperBound, gamma: gamma,
          baseOffset: offset, alternateOffset: offset))
    }
    let metadata = try GainMapMetadata(
      channels: channels, baseHeadroomStops: log2(isBaseHDR ? top : base),
      alternateHeadroomStops: log2(isBaseHDR ? base : top),
      usesBaseColorSpace: isBaseHDR || standard.primaries == high.primaries)
    if scale == .half {
      GainMapPrefilter.apply(
        gains.samples, width: gains.size.width, height: gains.size.height,
        channels: gains.channels)
    }
    let image = try GainMapImage(
      size: gains.size, channels: gains.channels, bytes: codes(gains.samples, ranges))
    return Result(image: image, metadata: metadata, highLight: highLight)
  }

  private func codes(
    _ values: UnsafeMutableBufferPointer<Float>, _ ranges: [ClosedRange<Double>]
  ) -> [UInt8] {
    let low = ranges.map { Float($0.lowerBound) }
    let perStop = ranges.map { Float(1 / ($0.upperBound - $0.lowerBound)) }
    let (isPlain, exponent) = (gamma == 1, Float(gamma))
    var channel = ranges.count - 1
    return values.map { value in
      channel = channel + 1 == ranges.count ? 0 : channel + 1
      let v = min(max((value - low[channel]) * perStop[channel], 0), 1)
      let code = (isPlain ? v : pow(v, exponent)) * 255
      // Rounded without the call that this is on CPUs without SSE4.1.
      let integer = UInt8(code)
      return code - Float(integer) >= 0.5 ? integer &+ 1 : integer
    }
  }
}
