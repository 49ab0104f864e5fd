/// A table of a DNG camera profile that shifts hues and scales saturations and values
/// (ProfileHueSatMap and ProfileLookTable, DNG 1.7.1 chapter 6).
///
/// Linear ProPhoto RGB in and out, as HSV: V = max, S = (max − min) / max, H 0…6. The indices are H
/// · hues / 6, which wraps, S · (saturations − 1) and V · (values − 1), trilinear; then H += shift
/// · 6 / 360, S = min(S · s, 1), V ·= v. With one value division V has no index, so the table
/// applies to values of any size; with more the index is clamped to V = 1. Encoding 1 applies the
/// sRGB curve to V for both the index and its factor; it has no effect with one division. In HDR
/// profiles, tables with several value divisions work on compressed values (`OverRange.h`), where
/// 16 times white is 1. Values above 1 are preserved. Negative channel values are separated and
/// added back, since HSV cannot represent them. Known failure: hue is an angle in RGB, not a
/// perceptual one, so large shifts change lightness.
package struct HueSatTable: Sendable, Hashable {
  /// Divisions of hue, 1 or more; cyclic.
  package let hues: Int
  /// Divisions of saturation, 2 or more.
  package let saturations: Int
  /// Divisions of value, 1 or more.
  package let values: Int
  /// Whether V is indexed and scaled on the sRGB curve.
  package let isEncoded: Bool
  /// [value][hue][saturation] of hue shift in degrees, saturation and value factor.
  package let entries: [SIMD3<Float>]

  /// Maximum magnitude of an entry, far above real degrees and factors. Larger products with values
  /// above white would overflow.
  static let largest: Float = 65_536

  /// Nil if the sizes are outside their range or do not match the number of entries, or a number
  /// exceeds ``largest``.
  package init?(
    hues: Int, saturations: Int, values: Int, isEncoded: Bool, entries: [SIMD3<Float>]
  ) {
    guard hues >= 1, saturations >= 2, values >= 1, hues <= RawDecodeLimits.hueSatEntries,
      saturations <= RawDecodeLimits.hueSatEntries, values <= RawDecodeLimits.hueSatEntries,
      hues * saturations <= RawDecodeLimits.hueSatEntries,
      hues * saturations * values == entries.count,
      entries.count <= RawDecodeLimits.hueSatEntries,
      entries.allSatisfy({ entry in
        (0..<3).allSatisfy { abs(entry[$0]) <= Self.largest }
      })
    else { return nil }
    self.hues = hues
    self.saturations = saturations
    self.values = values
    self.isEncoded = isEncoded && values > 1
    self.entries = entries
  }

  /// Whether it changes nothing.
  package var isNeutral: Bool { entries.allSatisfy { $0 == SIMD3(0, 1, 1) } }

  /// Whether `other` has the same divisions, so that both can be interpolated.
  func isLike(_ other: HueSatTable) -> Bool {
    (hues, saturations, values) == (other.hues, other.saturations, other.values)
      && isEncoded == other.isEncoded
  }

  /// The tables of several calibrations, interpolated by their weights for one illuminant. A single
  /// table is used for all illuminants; if tables do not match the first, only the first is used.
  package static func mixed(_ tables: [HueSatTable?], weights: [Double]) -> HueSatTable? {
    let known = tables.enumerated().compactMap { index, table in
      table.map { (table: $0, weight: index < weights.count ? weights[index] : 0) }
    }
    guard let first = known.first else { return nil }
    let sum = known.reduce(0) { $0 + $1.weight }
    guard known.count > 1, sum > 0, known.allSatisfy({ $0.table.isLike(first.table) }) else {
      return first.table
    }
    if let only = known.first(where: { $0.weight == sum }) { return only.table }
    let entries = first.table.entries.indices.map { index in
      known.reduce(SIMD3<Float>()) { $0 + $1.table.entries[index] * Float($1.weight / sum) }
    }
    return HueSatTable(
      hues: first.table.hues, saturations: first.table.saturations, values: first.table.values,
      isEncoded: first.table.isEncoded, entries: entries)
  }
}
