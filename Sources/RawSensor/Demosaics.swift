package import RawData

/// All demosaics. A mosaic is demosaiced by the first that has a method for it.
enum Demosaics {
  static let all: [any Demosaic.Type] = [
    GrayDemosaic.self, RatioCorrectedDemosaic.self, XTransDemosaic.self, FourColorDemosaic.self,
    PatternDemosaic.self,
  ]

  static func make(_ settings: DemosaicSettings) -> any Demosaic {
    for kind in all { if let demosaic = kind.init(settings) { return demosaic } }
    return PatternDemosaic(settings)
  }

  /// The method used for mosaics of `cfa` if `asked` is requested.
  static func method(_ cfa: CFA, _ asked: DemosaicMethod) -> DemosaicMethod {
    for kind in all { if let method = kind.method(cfa, asked) { return method } }
    return .fast
  }
}

extension DemosaicMethod {
  /// The method used for pictures of `layout` if this one is requested: equal for methods with
  /// equal pixels, never `automatic`.
  package func used(for layout: SensorData.Layout) -> DemosaicMethod {
    switch layout {
    case .mosaic(let cfa): Demosaics.method(cfa, self)
    case .monochrome: .fast
    // NoiseSpectrum models their noise as if they had been demosaiced by this method.
    case .linear: self == .automatic ? .fast : self
    }
  }
}
