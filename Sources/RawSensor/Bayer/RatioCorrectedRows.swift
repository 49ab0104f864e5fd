import CKernels
import ImageCore

/// Working memory of one worker for ``RatioCorrectedDemosaic``: the last sixteen rows of each of
/// its intermediate planes, half as wide as the tile. A demosaic that walks down the picture needs
/// no more of them, and they stay in the cache.
///
/// Planes of both halves, green and chroma: `mosaic` the photosites; `vertical` and `horizontal`
/// the squared high-pass along column and row; `direction` the fraction of the variation that is
/// vertical, 1 = interpolate along the row. Planes of chroma photosites: `falling` and `rising`,
/// squared high-pass along the diagonals to the lower right and to the upper right; `diagonal`, the
/// fraction of the variation that is along the falling one; `lowPass`, four times the local mean;
/// `greenAtChroma` and `oppositeAtChroma`, green and the other chroma there. Planes of green
/// photosites: `ownAtGreen` and `oppositeAtGreen`, the row's chroma and the other.
///
/// With `best` (DirectionalDifference.c): the differences of green and chroma `along` rows and
/// `down` columns, their variation, the weights of a row and of a column, and sums over five rows.
/// For ``DualBlend``: `activity`, e of pairs of photosites, and its weighted sum over seven rows;
/// blended green, and the other chroma, at chroma photosites.
final class RatioCorrectedRows {
  /// Samples that exist on both sides of each row.
  private static let margin = max(ck_bayerRows_before, ck_bayerRows_behind)
  /// Numbers of planes: always, with `best`, with `dual`.
  private static let (always, forBest, forDual) = (16, 12, 4)
  /// Between planes, so that the same row of all does not fall on the same lines of the cache.
  private static let gap = 80

  /// Maximum width of a tile in photosites, and the allocated planes.
  private let width: Int
  private let kinds: Kinds
  /// The planes in kernel form.
  let kernel: ck_bayerRows
  private let storage: PixelStorage<Float>

  /// Optional planes.
  struct Kinds: OptionSet {
    let rawValue: Int
    static let best = Kinds(rawValue: 1)
    static let dual = Kinds(rawValue: 2)
  }

  /// Whether these rows suffice for tiles of `width` with planes of `kinds`.
  func fits(_ width: Int, _ kinds: Kinds) -> Bool {
    width <= self.width && self.kinds.isSuperset(of: kinds)
  }

  /// Planes for tiles up to `width`; all zero at first.
  init(width: Int, _ kinds: Kinds) throws(PixelError) {
    self.width = width
    self.kinds = kinds
    let half = (width + 1) / 2 + RatioCorrectedDemosaic.columnReach + 8
    let stride = (half + 2 * Self.margin + 15) & ~15
    let size = stride * ck_ringRows + Self.gap
    let (best, dual) = (kinds.contains(.best), kinds.contains(.dual))
    let planes = Self.always + (best ? Self.forBest : 0) + (dual ? Self.forDual : 0)
    storage = try PixelStorage(zeros: size * planes)
    var next = storage.start + Self.margin
    func plane(if isNeeded: Bool = true) -> UnsafeMutablePointer<Float>? {
      guard isNeeded else { return nil }
      defer { next += size }
      return next
    }
    func halves(if isNeeded: Bool = true) -> ck_halfRows {
      ck_halfRows(green: plane(if: isNeeded), chroma: plane(if: isNeeded))
    }
    kernel = ck_bayerRows(
      stride: Int64(stride), mosaic: halves(), vertical: halves(), horizontal: halves(),
      falling: plane(), rising: plane(), direction: halves(), diagonal: plane(),
      lowPass: plane(), greenAtChroma: plane(), oppositeAtChroma: plane(), ownAtGreen: plane(),
      oppositeAtGreen: plane(), along: halves(if: best), alongVariation: halves(if: best),
      down: halves(if: best), downVariation: halves(if: best), rowWeight: plane(if: best),
      columnWeight: plane(if: best), ownColumns: plane(if: best),
      betweenColumns: plane(if: best), activity: plane(if: dual), activitySums: plane(if: dual),
      blendedGreen: plane(if: dual), blendedOpposite: plane(if: dual))
  }

  /// Row `y` of a plane of ``kernel``.
  func row(_ plane: UnsafeMutablePointer<Float>!, _ y: Int) -> UnsafeMutablePointer<Float> {
    plane + (y & (ck_ringRows - 1)) * Int(kernel.stride)
  }
}
