import Formats
import Foundation
import HDRRender
import ImageCore

/// A gain map as stored in a file: one set of 8-bit samples for all its formats.
///
/// Apple's format has one channel, no gain below 0 and no exponent: with the sample v it multiplies
/// linear values by 1 + (h − 1) g(v), g the curve of BT.709. Beside it, the samples are stored so
/// that ISO's formula is exact, with min 0, max log2 h and the exponent for which S v^(1/γ) best
/// fits log2(1 + (2^S − 1) g(v)), S = log2 h: least squares in stops over all v, in logarithms. A
/// reader of Apple's format is then off by 0.02 stops rms at S = 1.7, 0.06 at 3, 0.1 at 4. (Phones
/// store the same: S 1.68, γ 0.713; here γ 0.737.) Alone, Apple's format is exact except for its
/// missing offsets. Known failure: combined with Apple's format, gains below 0 are lost; where more
/// than 1 % of the samples are below −1/16 stop, Apple's format is omitted. A map of another file
/// (`StoredGainMap.origin`) retains samples, parameters and formats. Where the new file supports
/// none of these, it is written in ISO's format; Apple's formula then gets samples of log2(1 + (h −
/// 1) g(v)) / S. Beside Apple's alone, which browsers do not read, a JPEG gets the other forms, off
/// by as much.
struct GainMapEncoding {
  /// The samples, 0…255.
  let image: GainMapImage
  /// Their parameters by ISO 21496-1; approximate where only Apple's format is written.
  let metadata: GainMapMetadata
  /// The formats that are written.
  let formats: Set<GainMapFormat>
  /// Gain of sample 255 relative to sample 0 in Apple's format, a ratio.
  let appleHeadroom: Double
  /// The headroom in Apple's maker note.
  let makerHeadroom: Double
  let notes: [String]

  private static let minStops = 1.0 / 256
  private static let negativeStops = -1.0 / 16
  private static let maxNegativeFraction = 0.01

  /// Throws when no format of `wanted` can hold the map.
  init(_ map: StoredGainMap, wanted: Set<GainMapFormat>) throws(WriteError) {
    guard map.image.channels == map.metadata.channels.count || map.image.channels == 3 else {
      throw WriteError(
        .badSetting, "the gain map has one channel, but its metadata has three; give one")
    }
    let source = map.metadata.actingInBase
    let inherited = map.origin.map { origin in
      origin.forms == [.apple] && wanted == .all ? wanted : wanted.intersection(origin.forms)
    }
    var formats = inherited.map { $0.isEmpty ? wanted.intersection([.iso]) : $0 } ?? wanted
    var notes: [String] = []
    if inherited == nil, formats.contains(.apple), let reason = Self.obstacle(map.image, source) {
      formats.remove(.apple)
      notes.append("Apple's form of the gain map was left out: \(reason)")
    }
    if formats.contains(.ultraHDR), !source.usesBaseColorSpace {
      formats.remove(.ultraHDR)
      notes.append("the hdrgm form was left out: it applies gains in the primaries of the picture")
    }
    guard !formats.isEmpty else {
      throw WriteError(
        .badSetting,
        notes.first ?? "the file supports none of the given formats of gain map; use ISO's")
    }
    let channel = source.channel(0)
    let maxStops = max(channel.maximumStops, Self.minStops)
    func asIs() throws -> GainMapImage {
      map.image.maximumCode == 255 ? map.image : try map.image.recoded { $0 }
    }
    func oneChannel(gamma: Double = 1) throws -> GainMapMetadata {
      try GainMapMetadata(
        channels: [
          GainMapMetadata.Channel(
            maximumStops: maxStops, gamma: gamma, baseOffset: channel.baseOffset,
            alternateOffset: channel.alternateOffset)
        ],
        baseHeadroomStops: source.baseHeadroomStops,
        alternateHeadroomStops: source.alternateHeadroomStops)
    }
    do {
      if let origin = map.origin {
        if origin.forms == [.apple], !formats.contains(.apple) {
          let range = exp2(maxStops) - 1
          image = try map.image.recoded { log2(1 + range * BT709.linear(signal: $0)) / maxStops }
          metadata = try oneChannel()
        } else {
          (image, metadata) = (try asIs(), source)
        }
      } else if formats.contains(.apple) {
        let isAlone = formats == [.apple]
        let gamma = Self.commonGamma(stops: maxStops)
        image = try map.image.recoded { sample in
          let stops = min(max(channel.stops(sample), 0), maxStops)
          return isAlone
            ? BT709.signal(linear: (exp2(stops) - 1) / (exp2(maxStops) - 1))
            : pow(stops / maxStops, gamma)
        }
        metadata = try oneChannel(gamma: gamma)
      } else {
        (image, metadata) = (try asIs(), source)
      }
    } catch let error as GainMapError {
      throw WriteError(.badSetting, "\(error)")
    } catch {
      throw WriteError(.badSetting, "the gain map cannot be stored: \(error)")
    }
    appleHeadroom = map.origin?.appleHeadroom ?? exp2(maxStops)
    makerHeadroom = map.origin?.makerHeadroom ?? appleHeadroom
    (self.formats, self.notes) = (formats, notes)
  }

  /// Why Apple's format cannot hold the map; nil when it can.
  private static func obstacle(_ image: GainMapImage, _ metadata: GainMapMetadata) -> String? {
    if image.channels != 1 { return "it supports one channel only" }
    if metadata.isBaseHDR { return "its base is always SDR" }
    let channel = metadata.channel(0)
    let isDark = (0...Int(image.maximumCode)).map { code in
      channel.stops(Double(code) / Double(image.maximumCode)) < negativeStops
    }
    let dark = image.codes.reduce(0) { $0 + (isDark[min(Int($1), isDark.count - 1)] ? 1 : 0) }
    return Double(dark) > maxNegativeFraction * Double(image.codes.count)
      ? "it has no negative gains, and the HDR rendition is darker than the SDR base in places"
      : nil
  }

  /// The exponent of ISO's formula that best fits Apple's for a map of up to `stops`.
  static func commonGamma(stops: Double) -> Double {
    var (top, bottom) = (0.0, 0.0)
    for code in 1..<255 {
      let v = Double(code) / 255
      let wanted = log2(1 + (exp2(stops) - 1) * BT709.linear(signal: v))
      top += wanted * wanted * log(wanted / stops) * log(v)
      bottom += wanted * wanted * log(v) * log(v)
    }
    let power = top / bottom
    return power.isFinite && power > 0 ? 1 / power : 1
  }
}

extension GainMapMetadata.Channel {
  /// The gain of a sample of 0…1, in stops.
  fileprivate func stops(_ sample: Double) -> Double {
    minimumStops + (maximumStops - minimumStops) * pow(sample, 1 / gamma)
  }
}

extension GainMapMetadata {
  /// The same, declared in the base's primaries where that makes no difference: a single gain and
  /// offset act alike in all primaries of one white.
  fileprivate var actingInBase: GainMapMetadata {
    let isGray =
      channels.count == 1 && channels.allSatisfy { $0.baseOffset == $0.alternateOffset }
    guard isGray, !usesBaseColorSpace else { return self }
    let same = try? GainMapMetadata(
      channels: channels, baseHeadroomStops: baseHeadroomStops,
      alternateHeadroomStops: alternateHeadroomStops)
    return same ?? self
  }
}

extension GainMapImage {
  /// The map in eight bits, each sample of 0…1 through `curve`.
  fileprivate func recoded(_ curve: (Double) -> Double) throws -> GainMapImage {
    let table = (0...Int(maximumCode)).map { code in
      let value = curve(Double(code) / Double(maximumCode))
      // NaN, which only absurd parameters produce, is treated as 0.
      return value > 0 ? UInt8((min(value, 1) * 255).rounded()) : UInt8(0)
    }
    return try GainMapImage(
      size: size, channels: channels,
      bytes: codes.map { table[min(Int($0), table.count - 1)] })
  }
}
