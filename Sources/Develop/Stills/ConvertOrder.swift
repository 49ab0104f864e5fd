package import HDRRender
package import Readers
package import Recipes

/// A conversion as a value that can be sent to another process: all settings of a ``Converter``.
package struct ConvertOrder: Sendable, Hashable, Codable {
  package var output: Recipe.Output
  package var edits: [PictureEdit]
  package var gainMap: Converter.GainMapPolicy
  package var headroom: Double?
  package var threads: Int
  /// Path of the output, under which an open file was passed.
  package var target: String
  private var rangeName: String

  package init(
    output: Recipe.Output, edits: [PictureEdit], range: DisplayRendering.DynamicRange,
    headroom: Double?, gainMap: Converter.GainMapPolicy, threads: Int, target: String
  ) {
    (self.output, self.edits, self.headroom) = (output, edits, headroom)
    (self.gainMap, self.threads, self.target) = (gainMap, threads, target)
    rangeName = range.rawValue
  }

  /// The converter; throws for edits outside their range.
  package func converter() throws -> Converter {
    var converter = Converter(
      output: output, headroom: headroom, gainMap: gainMap, workers: threads)
    converter.range = DisplayRendering.DynamicRange(rawValue: rangeName) ?? .high
    converter.edits = try edits.map { try $0.filter() }
    return converter
  }
}

/// Properties of a picture, opened by another process, on which the defaults of the output
/// depend.
package struct FinishedInfo: Sendable, Hashable, Codable {
  private var range: Range
  private var baseRange: Range
  /// Whether there is a gain map.
  package var hasGainMap: Bool
  /// The color space of the picture in SDR, or of the base of its gain map, which stays unless
  /// another is asked for; nil where it cannot be written.
  package var colorSpace: ColorSpace?

  private enum Range: String, Codable {
    case sdr, hlg, pq, hdr10

    init(_ mix: DynamicRangeMix) {
      switch mix {
      case .sdr: self = .sdr
      case .hlg: self = .hlg
      case .hdr10: self = .hdr10
      default: self = .pq
      }
    }

    var mix: DynamicRangeMix {
      switch self {
      case .sdr: .sdr
      case .hlg: .hlg
      case .pq: .pq
      case .hdr10: .hdr10
      }
    }
  }

  package init(_ image: StillImage) {
    (range, baseRange) = (Range(image.dynamicRange), Range(image.baseDynamicRange))
    hasGainMap = image.gainMap != nil
    colorSpace =
      hasGainMap || range == .sdr
      ? image.color.namedPrimaries.flatMap(ColorSpace.init(keeping:)) : nil
  }

  /// See `StillImage.dynamicRange`.
  package var dynamicRange: DynamicRangeMix { range.mix }
  /// See `StillImage.baseDynamicRange`.
  package var baseDynamicRange: DynamicRangeMix { baseRange.mix }
}
