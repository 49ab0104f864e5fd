import ImageCore

/// The requirements of ISO 22028-5 ("ISO HDR") on the encoding of a still picture.
///
/// Source: ISO/TS 22028-5:2023 as Apple's session of 2023 on HDR images quotes it: hybrid log-gamma
/// or PQ, BT.2020 primaries, 10 bits or more for each component, signalled by code points or an
/// ICC profile. An SDR picture with a gain map is HDR by ISO 21496-1, not by this.
public enum ISOHDRRule: String, Sendable, Hashable, Codable, CaseIterable {
  /// The transfer function is hybrid log-gamma or PQ.
  case transferFunction = "transfer-function"
  /// The primaries are BT.2020.
  case primaries
  /// Each component has at least 10 bits.
  case bitDepth = "bit-depth"
  /// Code points or an ICC profile signal the encoding.
  case signalling

  /// The requirement, in one line.
  public var requirement: String {
    switch self {
    case .transferFunction: "its transfer function is hybrid log-gamma or PQ"
    case .primaries: "its primaries are BT.2020"
    case .bitDepth: "each component has at least 10 bits"
    case .signalling: "code points or an ICC profile say how it is coded"
    }
  }

  /// That it is not met, for people.
  public var failure: String {
    switch self {
    case .transferFunction: "it is neither PQ nor hybrid log-gamma"
    case .primaries: "its primaries are not BT.2020"
    case .bitDepth: "it has fewer than 10 bits"
    case .signalling: "it does not say how it is coded"
    }
  }

  /// The rules that a picture with this encoding fails; none when it is ISO HDR.
  public static func failed(by color: ColorDescription, bitDepth: Int) -> [ISOHDRRule] {
    allCases.filter { rule in
      switch rule {
      case .transferFunction: !color.isHighDynamicRange
      case .primaries: color.primaries != .bt2020 || color.matrix != .identity
      case .bitDepth: bitDepth < 10
      case .signalling: color.origin == .assumed
      }
    }
  }
}

extension StillImage {
  /// The rules of ISO 22028-5 that the primary picture fails; none when it is ISO HDR.
  public var failedISOHDRRules: [ISOHDRRule] { ISOHDRRule.failed(by: color, bitDepth: bitDepth) }
}
