import CKernels
import ImageCore

/// Working memory of one worker for ``XTransDemosaic``: the last rows of each of its intermediate
/// planes, and the offsets in it that kernels use. A demosaic that walks down the picture needs no
/// more of them, and they stay in the cache.
///
/// Each row is split into its six column phases: sample i of phase p is column x + 6i + p. In a 6 ×
/// 6 pattern every neighbor of every photosite is then a fixed offset and a vector holds photosites
/// of one kind.
final class XTransRows {
  static let period = 6
  /// Samples between two phases, and before the first.
  private static let gap = 16
  /// Samples behind a joined row that are written.
  private static let tail = (ck_joinXTransRow_behind + 15) & ~15

  /// The last rows of several planes, row by row.
  struct Ring {
    let rows: Int
    let planes: Int
    fileprivate let start: Int
    fileprivate var end: Int { start + rows * planes }
  }

  /// Columns of a row; a multiple of six.
  let width: Int
  /// Samples of one phase of a row.
  let count: Int
  /// Samples from one phase to the next, and from one row to the next.
  private let phaseStride: Int
  var stride: Int { phaseStride * Self.period }

  /// The mosaic, then red, green and blue of each candidate.
  let pixels: Ring
  /// Luma and two color differences of each candidate.
  let luma: Ring
  /// Curvature of each candidate.
  let curvature: Ring
  /// Homogeneity of the candidates, four in a plane, and its sums over five rows.
  let counts: Ring
  let sums: Ring
  /// Red, green and blue.
  let result: Ring

  let planes: UnsafeMutablePointer<Float>
  private let size: Int
  private(set) var steps: [Step] = []
  /// The sites of all steps, freed with the rows.
  private var tables: [UnsafeMutableRawPointer] = []

  /// A step of the demosaic. It computes a row `inset` rows from the edge of its input.
  struct Step {
    let inset: Int
    /// Computes row `row` of the pixels.
    let make: (_ row: Int) -> Void
  }

  /// Zeroed memory for the last `rows` rows of `width` columns and `candidates` candidates.
  init(width: Int, candidates: Int, rows: Int) throws(PixelError) {
    precondition(rows % 6 == 0, "all rings repeat with the pixels")
    count = (width + Self.period - 1) / Self.period
    self.width = count * Self.period
    phaseStride = ((count + 15) & ~15) + Self.gap
    pixels = Ring(rows: rows, planes: 1 + 3 * candidates, start: 0)
    luma = Ring(rows: 3, planes: 3 * candidates, start: pixels.end)
    curvature = Ring(rows: 3, planes: candidates, start: luma.end)
    counts = Ring(rows: 6, planes: candidates / 4, start: curvature.end)
    sums = Ring(rows: 1, planes: candidates / 4, start: counts.end)
    result = Ring(rows: 1, planes: 3, start: sums.end)
    let line = self.width + Self.tail
    size = Self.gap + result.end * phaseStride * Self.period + line
    planes = try PixelMemory.allocate(bytes: size * MemoryLayout<Float>.stride)
      .assumingMemoryBound(to: Float.self)
    planes.initialize(repeating: 0, count: size)
  }

  deinit {
    PixelMemory.deallocate(planes, bytes: size * MemoryLayout<Float>.stride)
    for table in tables { table.deallocate() }
  }

  /// One row of pixels, from column 0 on.
  var line: UnsafeMutablePointer<Float> { planes + Self.gap + result.end * stride }

  /// The offset of the sample `dx` columns and `dy` rows from the first of `phase` in row `y`.
  func offset(
    _ ring: Ring, _ plane: Int, _ y: Int, _ phase: Int, _ dx: Int = 0, _ dy: Int = 0
  ) -> ck_offset {
    let row = ring.start + floorModulo(y + dy, ring.rows) * ring.planes + plane
    let target = floorModulo(phase + dx, Self.period)
    let carry = (phase + dx - target) / Self.period
    return ck_offset(Self.gap + row * stride + target * phaseStride + carry)
  }

  /// Adds a step that calls `kernel` with the `sites` of a row.
  func addStep<Site>(
    _ inset: Int,
    _ kernel:
      @escaping (
        UnsafePointer<Site>?, Int64, UnsafeMutablePointer<Float>?, Int64
      ) -> Void,
    _ sites: (_ y: Int, _ phase: Int) -> [Site]
  ) {
    let all = (0..<pixels.rows).map { y in (0..<Self.period).flatMap { sites(y, $0) } }
    // Unmanaged memory: arrays would be reference-counted for every row.
    let table = UnsafeMutablePointer<Site>.allocate(capacity: all.joined().count)
    tables.append(UnsafeMutableRawPointer(table))
    let ends = UnsafeMutablePointer<Int>.allocate(capacity: all.count + 1)
    tables.append(UnsafeMutableRawPointer(ends))
    ends[0] = 0
    for (row, sites) in all.enumerated() {
      for (i, site) in sites.enumerated() { (table + ends[row] + i).initialize(to: site) }
      ends[row + 1] = ends[row] + sites.count
    }
    let (planes, length) = (planes, Int64(count))
    steps.append(
      Step(inset: inset) { row in
        kernel(table + ends[row], Int64(ends[row + 1] - ends[row]), planes, length)
      })
  }

  /// Splits row `y` of a mosaic from column 0 of these rows on.
  func split(_ source: MutableRowView, _ y: Int, _ scale: ck_demosaicScale) {
    let source = source.kernel(width, behind: ck_splitXTransRow_behind)
    ck_splitXTransRow(
      scale, source, offset(pixels, 0, y, 0), ck_offset(phaseStride), planes, Int64(count))
  }

  /// A channel of the result as a row, valid until the next.
  func joined(_ channel: Int) -> UnsafePointer<Float> {
    ck_joinXTransRow(
      planes, offset(result, channel, 0, 0), ck_offset(phaseStride), line, Int64(count))
    return UnsafePointer(line)
  }
}
