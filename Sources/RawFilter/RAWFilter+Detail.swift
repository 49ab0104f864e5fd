import ImageCore
import RawData
import RawSensor

/// Which adjustments of noise, detail and local tone have an effect on this file.
/// `Plan/RAWFilter+Plan.swift` resolves them.
extension RAWFilter {
  /// Whether ``luminanceNoiseReductionAmount`` has an effect.
  public var isLuminanceNoiseReductionSupported: Bool { true }
  /// Whether ``colorNoiseReductionAmount`` has an effect: on pictures with color.
  public var isColorNoiseReductionSupported: Bool { hasColor }
  /// Whether ``despeckleAmount`` has an effect.
  public var isDespeckleSupported: Bool { true }
  /// Whether ``moireReductionAmount`` has an effect: on pictures with color.
  public var isMoireReductionSupported: Bool { hasColor }
  /// Whether ``defringeAmount`` has an effect: on pictures with color.
  public var isDefringeSupported: Bool { hasColor }
  /// Whether ``sharpnessAmount`` has an effect.
  public var isSharpnessSupported: Bool { true }
  /// Whether ``detailAmount`` has an effect.
  public var isDetailSupported: Bool { true }
  /// Whether ``contrastAmount`` has an effect.
  public var isContrastSupported: Bool { true }
  /// Whether ``dehazeAmount`` has an effect.
  public var isDehazeSupported: Bool { true }
  /// Whether ``localToneMapAmount`` has an effect.
  public var isLocalToneMapSupported: Bool { true }

  /// Whether ``isDefectCorrectionEnabled`` has an effect: on files whose samples are photosites.
  public var isDefectCorrectionSupported: Bool { picture.file.info.layout != .linear }

  /// Whether ``demosaicMethod`` has an effect: on mosaics of Bayer, X-Trans and 2 × 2 four-color
  /// sensors, which have more than one method.
  public var isDemosaicMethodSupported: Bool {
    let layout = picture.file.info.layout
    return layout != .linear && Set(DemosaicMethod.allCases.map { $0.used(for: layout) }).count > 1
  }
}
