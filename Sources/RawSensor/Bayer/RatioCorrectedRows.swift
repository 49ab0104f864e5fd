import CKernels
import ImageCore

/// Working memory of one worker for ``RatioCorrectedDemosaic``: the last sixteen rows of each of
/// its intermediate planes, half as wide as the tile. A demosaic that walks down the picture needs
/// no more of them, and they stay in the cache.
///
/// What planes have of both halves, green and chroma: `mosaic` the photosites; `vertical` and
/// `horizontal` the squared high-pass along column and row; `direction` the fraction of the
/// variation that is vertical, 1 = interpolate along the row. Of chroma photosites: `falling` and
/// `rising`, squared high-pass along the diagonals to the lower right and to the upper right;
/// `diagonal`, the fraction of the variation that is along the falling one; `lowPass`, four times
/// the local mean; `greenAtChroma` and `oppositeAtChroma`, green and the other chroma there. Of
/// green ones: `ownAtGreen` and `oppositeAtGreen`, the row's chroma and the other.
///
/// At its best (DirectionalDifference.c): the differences of green and chroma `along` rows and
/// `down` columns, their variation, the weights of a row and of a column, and sums over five rows.
/// For ``DualBlend``: `activity`, e of pairs of photosites, and its weighted sum over seven rows;
/// blended green, and the other chroma, at chroma photosites.
struct RatioCorrectedRows: ~Copyable {
  /// Samples that exist on both sides of each row.
  private static let margin = 16
  /// Between planes, so that the same row of all does not fall on the same lines of the cache.
  private static let gap = 80

  /// Largest width of a tile that fits, in photosites.
  let width: Int
  /// The planes as kernels know them.
  let kernel: ck_bayerRows
  private let storage: PixelStorage<Float>

  /// Planes for tiles up to `width`; all zero at first.
  init(width: Int) {
    self.width = width
    let half = (width + 1) / 2 + RatioCorrectedDemosaic.columnReach + 8
    let stride = (half + 2 * Self.margin + 15) & ~15
    let size = stride * ck_ringRows + Self.gap
    // The structure is a number and as many pointers.
    let planes = MemoryLayout<ck_bayerRows>.size / MemoryLayout<UnsafeRawPointer>.size - 1
    storage = PixelStorage(count: size * planes, repeating: 0)
    var next = storage.start + Self.margin
    func plane() -> UnsafeMutablePointer<Float> {
      defer { next += size }
      return next
    }
    func halves() -> ck_halfRows { ck_halfRows(green: plane(), chroma: plane()) }
    kernel = ck_bayerRows(
      stride: Int64(stride), mosaic: halves(), vertical: halves(), horizontal: halves(),
      falling: plane(), rising: plane(), direction: halves(), diagonal: plane(),
      lowPass: plane(), greenAtChroma: plane(), oppositeAtChroma: plane(), ownAtGreen: plane(),
      oppositeAtGreen: plane(), along: halves(), alongVariation: halves(), down: halves(),
      downVariation: halves(), rowWeight: plane(), columnWeight: plane(), ownColumns: plane(),
      betweenColumns: plane(), activity: plane(), activitySums: plane(), blendedGreen: plane(),
      blendedOpposite: plane())
  }

  /// Row `y` of a plane of ``kernel``.
  func row(_ plane: UnsafeMutablePointer<Float>!, _ y: Int) -> UnsafeMutablePointer<Float> {
    plane + (y & (ck_ringRows - 1)) * Int(kernel.stride)
  }
}
