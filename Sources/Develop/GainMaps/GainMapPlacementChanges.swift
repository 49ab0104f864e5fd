import Foundation
import HDRRender
import ImageCore
import Readers

/// The differences in geometry of two files' bases and maps, and in the gains themselves.
struct GainMapPlacementChanges {
  private(set) var findings: [GainMapCheck.Finding] = []
  /// Whether the gains were compared, and are the same.
  private(set) var hasSameGains = false

  /// Smaller differences of aspect ratio come from rounded sides.
  private static let minStretch = 0.02
  private static let minShrink = 0.05
  /// Gains that differ by less are rounding and coding.
  private static let minStops = 0.06
  /// Correlation above which two small pictures show the same.
  private static let sameContent = 0.9

  init(_ before: GainMapInfo, _ after: GainMapInfo) {
    sizes(before, after)
    guard let map = after.map else { return }
    proportions(after, map)
    if let old = before.map { mapSize(before, old, after, map) }
    placement(before, after)
    gains(before, after)
  }

  private mutating func add(
    _ effect: GainMapCheck.Effect, _ subject: GainMapCheck.Subject, _ message: String,
    _ values: (Double, Double)? = nil
  ) {
    findings.append(
      .init(
        effect: effect, subject: subject, message: message, original: values?.0,
        export: values?.1))
  }

  private static func ratio(_ size: PixelSize) -> Double {
    Double(size.width) / Double(max(size.height, 1))
  }

  private mutating func sizes(_ before: GainMapInfo, _ after: GainMapInfo) {
    let (old, new) = (before.image.size, after.image.size)
    guard old != new else { return }
    let stretch = Self.ratio(new) / Self.ratio(old)
    let how =
      abs(stretch - 1) < Self.minStretch
      ? "resized"
      : abs(Self.ratio(new.transposed) / Self.ratio(old) - 1) < Self.minStretch
        ? "turned" : "cropped"
    add(.note, .size, "the picture was \(how), from \(old) to \(new)")
  }

  /// Of rounded sides only a pixel may be missing.
  private mutating func proportions(_ info: GainMapInfo, _ map: GainMapImage) {
    let base = info.image.size
    let width = Double(map.size.height) * Self.ratio(base)
    let off = Double(map.size.width) - width
    guard abs(off) > 1.5, abs(off) > Self.minStretch * width else { return }
    let isTurned = abs(Self.ratio(map.size.transposed) / Self.ratio(base) - 1) < Self.minStretch
    add(
      .lost, .proportions,
      "the gain map of \(map.size) has not the proportions of its picture of \(base)"
        + (isTurned ? "; it was not turned with it" : ""),
      (Self.ratio(base), Self.ratio(map.size)))
  }

  private mutating func mapSize(
    _ before: GainMapInfo, _ old: GainMapImage, _ after: GainMapInfo, _ new: GainMapImage
  ) {
    func ratio(_ info: GainMapInfo, _ map: GainMapImage) -> Double {
      (Double(map.size.area) / Double(max(info.image.size.area, 1))).squareRoot()
    }
    let (a, b) = (ratio(before, old), ratio(after, new))
    guard abs(b / a - 1) > Self.minShrink else { return }
    add(
      b < a ? .changed : .note, .mapSize,
      "the gain map has \(number(b)) of the picture's columns and rows instead of \(number(a)) "
        + "(\(new.size), was \(old.size))", (a, b))
  }

  private mutating func placement(_ before: GainMapInfo, _ after: GainMapInfo) {
    guard let base = after.base, let map = after.gains else { return }
    let now = GainMapPlacement(base: base, map: map)
    guard now.isMisplaced, let better = now.better else { return }
    if let oldBase = before.base, let oldMap = before.gains {
      // Where the original is no better, the content is not significant.
      let then = GainMapPlacement(base: oldBase, map: oldMap)
      guard !then.isMisplaced, then.score > now.score else { return }
    }
    add(
      .lost, .placement,
      "the gain map does not lie over its picture: edges correlate by \(number(now.score)), and by "
        + "\(number(now.betterScore)) elsewhere; \(better.text)",
      (now.betterScore, now.score))
  }

  /// Only of pictures that show the same.
  private mutating func gains(_ before: GainMapInfo, _ after: GainMapInfo) {
    guard let a = before.base, let b = after.base, let old = before.gains, let new = after.gains,
      abs(Self.ratio(after.image.size) / Self.ratio(before.image.size) - 1) < Self.minStretch,
      a.correlation(b) > Self.sameContent,
      // The gains of an HDR base lead down.
      before.metadata?.isBaseHDR ?? false == after.metadata?.isBaseHDR ?? false
    else { return }
    let (oldBlocks, newBlocks) = (old.blocks, new.blocks)
    let count = Double(oldBlocks.count)
    let differences = zip(oldBlocks, newBlocks).map { $1 - $0 }
    let deviation = (differences.reduce(0) { $0 + $1 * $1 } / count).squareRoot()
    let largest = (oldBlocks.max() ?? 0, newBlocks.max() ?? 0)
    guard deviation > Self.minStops || abs(largest.1 - largest.0) > 4 * Self.minStops else {
      hasSameGains = true
      return
    }
    add(
      .changed, .gains,
      "the gains differ by \(number(deviation)) stops rms: at most \(number(largest.1)) stops "
        + "instead of \(number(largest.0)), on average "
        + "\(number(newBlocks.reduce(0, +) / count)) instead of "
        + "\(number(oldBlocks.reduce(0, +) / count))", largest)
  }

  private func number(_ value: Double) -> String { String(format: "%.2f", value) }
}
