/// The gain map parameters of Adobe's and Android's form, `http://ns.adobe.com/hdr-gain-map/1.0/`
/// (prefix hdrgm, Version 1.0), as stored in the file.
///
/// The names use SDR and HDR where ISO 21496-1 uses base and alternate; ``baseRenditionIsHDR`` says
/// which of the two is the base. Gains and capacities are in stops. Domain: lists of one or three
/// values, one applying to all channels. XMP declares no primaries: gains apply in the primaries of
/// the base.
public struct HDRGMValues: Sendable, Hashable {
  /// GainMapMin, stops.
  public var gainMapMin: [Double]
  /// GainMapMax, stops.
  public var gainMapMax: [Double]
  /// Gamma.
  public var gamma: [Double]
  /// OffsetSDR, in multiples of reference white.
  public var offsetSDR: [Double]
  /// OffsetHDR, in multiples of reference white.
  public var offsetHDR: [Double]
  /// HDRCapacityMin, stops: the headroom up to which the SDR rendition is displayed.
  public var hdrCapacityMin: Double
  /// HDRCapacityMax, stops: the headroom from which on the HDR rendition is displayed.
  public var hdrCapacityMax: Double
  /// BaseRenditionIsHDR.
  public var baseRenditionIsHDR: Bool

  /// The values; optional ones have their defaults.
  public init(
    gainMapMin: [Double] = [0], gainMapMax: [Double], gamma: [Double] = [1],
    offsetSDR: [Double] = [1.0 / 64], offsetHDR: [Double] = [1.0 / 64], hdrCapacityMin: Double = 0,
    hdrCapacityMax: Double, baseRenditionIsHDR: Bool = false
  ) {
    self.gainMapMin = gainMapMin
    self.gainMapMax = gainMapMax
    self.gamma = gamma
    self.offsetSDR = offsetSDR
    self.offsetHDR = offsetHDR
    self.hdrCapacityMin = hdrCapacityMin
    self.hdrCapacityMax = hdrCapacityMax
    self.baseRenditionIsHDR = baseRenditionIsHDR
  }
}

extension GainMapMetadata {
  /// The same parameters in ISO's terms; throws where ``GainMapMetadata`` does, where a list has
  /// neither one nor three values, and where the capacities do not rise.
  public init(_ values: HDRGMValues) throws(GainMapError) {
    let lists = [
      values.gainMapMin, values.gainMapMax, values.gamma, values.offsetSDR, values.offsetHDR,
    ]
    guard lists.allSatisfy({ $0.count == 1 || $0.count == 3 }) else {
      throw GainMapError(
        .damaged, "an hdrgm list has neither one nor three values; show the picture without its map"
      )
    }
    guard values.hdrCapacityMax > values.hdrCapacityMin else {
      throw GainMapError(
        .damaged, "HDRCapacityMax must lie above HDRCapacityMin; show the picture without its map")
    }
    let count = lists.contains { $0.count == 3 } ? 3 : 1
    var channels: [Channel] = []
    for index in 0..<count {
      let v = lists.map { $0.count == 3 ? $0[index] : $0[0] }
      channels.append(
        try Channel(
          minimumStops: v[0], maximumStops: v[1], gamma: v[2],
          baseOffset: values.baseRenditionIsHDR ? v[4] : v[3],
          alternateOffset: values.baseRenditionIsHDR ? v[3] : v[4]))
    }
    let (low, high) = (values.hdrCapacityMin, values.hdrCapacityMax)
    try self.init(
      channels: channels, baseHeadroomStops: values.baseRenditionIsHDR ? high : low,
      alternateHeadroomStops: values.baseRenditionIsHDR ? low : high)
  }
}

extension HDRGMValues {
  /// The same parameters in hdrgm's terms. They cannot express that the primaries are the
  /// alternate's.
  public init(_ metadata: GainMapMetadata) {
    let channels = metadata.channels
    let (base, alternate) = (channels.map(\.baseOffset), channels.map(\.alternateOffset))
    let isHDR = metadata.isBaseHDR
    let headrooms = [metadata.baseHeadroomStops, metadata.alternateHeadroomStops].sorted()
    self.init(
      gainMapMin: channels.map(\.minimumStops), gainMapMax: channels.map(\.maximumStops),
      gamma: channels.map(\.gamma), offsetSDR: isHDR ? alternate : base,
      offsetHDR: isHDR ? base : alternate, hdrCapacityMin: headrooms[0],
      hdrCapacityMax: headrooms[1], baseRenditionIsHDR: isHDR)
  }
}
