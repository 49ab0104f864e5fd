import ImageCore

extension HDRMetadata {
  /// The metadata of a measured picture that was mastered on a BT.2020 display of `peakNits`.
  init(_ statistics: ContentLightStatistics, peakNits: Double) {
    self.init()
    contentLight = ContentLight(statistics)
    masteringDisplay = .bt2020(peakNits: peakNits)
  }
}

extension HDRMetadata.MasteringDisplay {
  /// A BT.2020 display with a peak of `peakNits`.
  static func bt2020(peakNits: Double) -> Self {
    let c = Primaries.bt2020.chromaticities
    return Self(
      red: c.red, green: c.green, blue: c.blue, white: .d65, maximumNits: peakNits,
      minimumNits: 0.0005)
  }
}

extension HDRMetadata.ContentLight {
  /// The measured levels.
  init(_ statistics: ContentLightStatistics) {
    self.init(
      maximumNits: Double(statistics.maximumContentNits),
      averageNits: Double(statistics.averageNits))
  }
}
