/// A table of a DNG camera profile that shifts hues and scales saturations and values
/// (ProfileHueSatMap and ProfileLookTable, DNG 1.7.1 chapter 6).
///
/// Linear ProPhoto RGB in and out, as HSV: V = max, S = (max − min) / max, H 0…6. The indices are H
/// · hues / 6, which wraps, S · (saturations − 1) and V · (values − 1), trilinear; then H += shift
/// · 6 / 360, S = min(S · s, 1), V ·= v. With one value division V has no index, so the table holds
/// for values of any size; with more the index ends at V = 1. Encoding 1 puts V on the sRGB
/// curve for both the index and its factor; it has no meaning with one division. In profiles of
/// HDR, tables with several value divisions work on compressed values (`OverRange.h`),
/// where 16 times white is 1. Values above 1 are kept. Negative parts of channels are set aside and
/// added back, since HSV cannot represent them. Known failure: hue is an angle in RGB, not a
/// perceptual one, so large shifts change lightness.
package struct HueSatTable: Sendable, Hashable {
  /// Divisions of hue, 1 or more; the table wraps.
  package let hues: Int
  /// Divisions of saturation, 2 or more.
  package let saturations: Int
  /// Divisions of value, 1 or more.
  package let values: Int
  /// Whether V is indexed and scaled on the sRGB curve.
  package let isEncoded: Bool
  /// [value][hue][saturation] of hue shift in degrees, saturation and value factor.
  package let entries: [SIMD3<Float>]

  /// The largest number in an entry; degrees of hue and factors of saturation and value are far
  /// below. Products of larger ones with values above white would leave the range of floats.
  static let largest: Float = 65_536

  /// nil when the sizes are outside their range or do not fit the number of entries, or a number is
  /// beyond ``largest``.
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

  /// Whether nothing is changed.
  package var isNeutral: Bool { entries.allSatisfy { $0 == SIMD3(0, 1, 1) } }

  /// Whether `other` has the same divisions, so that both can be mixed.
  func isLike(_ other: HueSatTable) -> Bool {
    (hues, saturations, values) == (other.hues, other.saturations, other.values)
      && isEncoded == other.isEncoded
  }

  /// The tables of several calibrations, mixed by the weights of these for one light. A table that
  /// stands alone is used whatever the light; of tables that do not fit the first, that one.
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
