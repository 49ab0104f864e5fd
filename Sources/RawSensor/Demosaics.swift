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

  /// The method by which mosaics of `cfa` are demosaiced where `asked` is asked for.
  static func method(_ cfa: CFA, _ asked: DemosaicMethod) -> DemosaicMethod {
    for kind in all { if let method = kind.method(cfa, asked) { return method } }
    return .fast
  }
}

extension DemosaicMethod {
  /// What this comes to for pictures of `layout`: the same for all methods that give the same
  /// pixels, and never `automatic`.
  package func used(for layout: SensorData.Layout) -> DemosaicMethod {
    switch layout {
    case .mosaic(let cfa): Demosaics.method(cfa, self)
    case .monochrome: .fast
    // Their noise is taken as if they had been demosaiced by it (NoiseSpectrum).
    case .linear: self == .automatic ? .fast : self
    }
  }
}
