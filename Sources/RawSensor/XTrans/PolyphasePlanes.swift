import ImageCore

/// Planes of a tile with each row split into its six column phases: sample i of phase p is column
/// x + 6i + p. In a 6 × 6 pattern every neighbor of every photosite is then a fixed offset and a
/// vector holds eight photosites of the same kind. Working memory of one worker.
///
/// Its properties are read for every row, where checks for exclusive access would cost more than
/// the reading; nothing reads them while ``reshape(_:planes:)`` writes them.
final class PolyphasePlanes {
  static let period = 6
  private static let margin = 8

  /// Columns and rows covered; both x and width are multiples of six.
  @exclusivity(unchecked)
  private(set) var rect = PixelRect(x: 0, y: 0, width: 0, height: 0)
  /// Samples of one phase of a row.
  @exclusivity(unchecked)
  private(set) var count = 0
  @exclusivity(unchecked)
  private var phaseStride = 0
  @exclusivity(unchecked)
  private var rowStride = 0
  @exclusivity(unchecked)
  private var storage: UnsafeMutablePointer<Float>
  @exclusivity(unchecked)
  private var capacity = 0

  init() { storage = PixelMemory.allocate(bytes: 0).assumingMemoryBound(to: Float.self) }

  deinit { PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride) }

  /// Makes room for `planes` planes over `area`, widened to whole periods.
  func reshape(_ area: PixelRect, planes: Int) {
    let x = area.x - floorModulo(area.x, Self.period)
    count = (area.endX - x + Self.period - 1) / Self.period
    rect = PixelRect(x: x, y: area.y, width: count * Self.period, height: area.height)
    phaseStride = ((count + 7) & ~7) + 2 * Self.margin
    rowStride = phaseStride * Self.period
    let needed = rowStride * rect.height * planes + 2 * Self.margin
    guard needed > capacity else { return }
    PixelMemory.deallocate(storage, bytes: capacity * MemoryLayout<Float>.stride)
    storage = PixelMemory.allocate(bytes: needed * MemoryLayout<Float>.stride)
      .assumingMemoryBound(to: Float.self)
    storage.initialize(repeating: 0, count: needed)
    capacity = needed
  }

  /// The samples of `phase` in row `y` of the sensor; ``offset(_:_:_:)`` leads to the neighbors in
  /// other rows and phases.
  @inline(__always)
  func row(_ plane: Int, _ y: Int, _ phase: Int) -> MutableRowView {
    let row = plane &* rect.height &+ (y &- rect.y)
    let start = row &* rowStride &+ phase &* phaseStride &+ Self.margin
    return MutableRowView(
      storage + start, count: count, before: start, behind: capacity &- start &- count)
  }

  /// Offset from a sample of `phase` to that `dx` columns and `dy` rows away.
  @inline(__always)
  func offset(_ phase: Int, _ dx: Int, _ dy: Int) -> Int {
    let target = floorModulo(phase &+ dx, Self.period)
    let carry = (phase &+ dx &- target) / Self.period
    return dy &* rowStride &+ (target &- phase) &* phaseStride &+ carry
  }
}
