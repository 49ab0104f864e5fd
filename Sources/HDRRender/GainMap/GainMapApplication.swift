import CKernels
import Foundation
import ImageCore

/// Applies a gain map to its base for one display, on linear values.
///
/// Source: ISO 21496-1:2025, the formulas in ``GainMapMetadata``. One-channel maps give all
/// channels one gain. A weight of 0 changes nothing, bit for bit. Units: linear values in multiples
/// of reference white, map samples 0…1. Nothing is clipped: values below zero and above the
/// headroom survive. Constants: gains are clamped to ±64 stops, more than any file intends, so that
/// no stored value overflows. Powers are float series (CVector.h): relative error below 1e-5 for
/// gains up to 8 stops. Check values (min 0, max 2, γ 1, offsets 1/64, headrooms 0 and 2): base
/// 0.5, v 0.75 on a display of 1 stop → 0.8515494; base 1, v 1, 2 stops → 4.046875; base 0, v 1, 2
/// stops → 0.046875.
struct GainMapApplication: GainMapOperator {
  /// The parameters of one channel, the weight already multiplied into the gains.
  private struct Channel: Equatable {
    let minimum: Float
    let span: Float
    let exponent: Float
    let baseOffset: Float
    let alternateOffset: Float
  }

  private let channels: [Channel]
  private let isUniform: Bool
  let isIdentity: Bool

  init(_ metadata: GainMapMetadata, displayHeadroom: Double) {
    let weight = metadata.weight(displayHeadroom: displayHeadroom)
    isIdentity = weight == 0
    isUniform = metadata.channels.count == 1
    channels = (0..<3).map {
      let channel = metadata.channel($0)
      let minimum = Float(channel.minimumStops * weight)
      return Channel(
        minimum: minimum, span: Float(channel.maximumStops * weight) - minimum,
        exponent: Float(1 / channel.gamma), baseOffset: Float(channel.baseOffset),
        alternateOffset: Float(channel.alternateOffset))
    }
  }

  func bound(_ headroom: Float) -> Float {
    if isIdentity { return headroom }
    let bounds = channels.map { channel in
      let base = headroom + channel.baseOffset
      let ends = [channel.minimum, channel.minimum + channel.span]
      let stops = base > 0 ? max(ends[0], ends[1]) : min(ends[0], ends[1])
      // A little more than the bound, for the error of the power.
      return base * exp2(stops) * (1 + 1e-5) - channel.alternateOffset
    }
    return max(bounds.max() ?? headroom, 0)
  }

  func apply(_ pixels: RGBRows, map: [MutableRowView]) {
    if isIdentity { return }
    let gains = channels.map { channel in
      ck_gain(
        minimum: channel.minimum, span: channel.span, exponent: channel.exponent,
        baseOffset: channel.baseOffset, alternateOffset: channel.alternateOffset,
        maxStops: Float(GainMapMetadata.maxStops))
    }
    let isOneGain = isUniform && map.count == 1
    let (green, blue) = map.count == 3 ? (map[1], map[2]) : (map[0], map[0])
    ck_gainMapRow(
      gains, map[0].start, isOneGain ? nil : green.start, isOneGain ? nil : blue.start,
      pixels.kernel, Int64(pixels.count))
  }
}
