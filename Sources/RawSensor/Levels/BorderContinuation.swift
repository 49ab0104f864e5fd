/// The extension of a mosaic beyond the borders of the sensor, so that no stage needs a special
/// case there. Every photosite outside repeats one inside with the same filter.
///
/// Patterns whose period is 2 are mirrored about the border photosite, which preserves the pattern;
/// other patterns repeat their first or last period. Without a filter it is mirrored as well.
struct BorderContinuation: Sendable {
  /// Photosites along this axis.
  let count: Int
  /// Period of the pattern along this axis.
  let period: Int

  /// The photosite inside the sensor that photosite `index` repeats.
  func source(_ index: Int) -> Int {
    if index >= 0 && index < count { return index }
    if period <= 2 {
      guard count > 1 else { return 0 }
      let m = floorModulo(index, 2 * count - 2)
      return m < count ? m : 2 * count - 2 - m
    }
    if index < 0 { return floorModulo(index, period) }
    let start = count - period
    return start + floorModulo(index - start, period)
  }
}
