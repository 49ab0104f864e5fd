import CVector
import ImageCore
import RawDecode

/// Full color from Fujifilm's X-Trans mosaic.
///
/// Source: Frank Markesteijn's algorithm (2013), from its description: interpolate the whole tile
/// once along each of four directions, then take at each pixel the mean of those candidates whose
/// surroundings are most uniform. Three passes interpolate green a second and third time from the
/// color differences of the first, and let those candidates compete too: 0.0 to 0.15 dB for
/// three times the time.
/// Domain: values of zero and above, best square roots of balanced light.
/// Reach: 12 photosites, 26 with three passes.
/// The candidates: 0 along the row, 1 along the column, 2 falling to the right, 3 rising.
/// Known failures: color blotches in fine texture near the limit of resolution.
struct XTransDemosaic: Sendable {
  /// Largest tile, whose planes should stay in the cache; the width is a multiple of six.
  static let tileWidth = 384
  static let tileHeight = 128

  let sites: XTransSites
  let scale: VarianceStabilization
  let passes: Int

  /// Nil when `cfa` is not an X-Trans pattern.
  init?(_ cfa: CFA, scale: VarianceStabilization, passes: Int) {
    guard let sites = XTransSites(cfa) else { return nil }
    self.sites = sites
    self.scale = scale
    self.passes = passes
  }

  /// Photosites that are read around the rectangle written.
  var reach: Int { passes > 1 ? 26 : 12 }
  var candidates: Int { passes > 1 ? 8 : 4 }

  // Planes: the mosaic, then red, green and blue of each candidate, then those of the choice.
  static let mosaicPlane = 0
  func plane(_ candidate: Int, _ channel: Int) -> Int { 1 + 3 * candidate + channel }
  var lumaPlane: Int { 1 + 3 * candidates }
  func curvaturePlane(_ candidate: Int) -> Int { lumaPlane + 3 + candidate }
  func uniformityPlane(_ candidate: Int) -> Int { lumaPlane + 3 + candidates + candidate }
  private var planeCount: Int { lumaPlane + 3 + 2 * candidates }

  /// Writes the pixels of `rect` to `buffer`, where `origin` is the sensor position of its first
  /// pixel. `mosaic` must reach beyond `rect` on each side.
  func demosaic(
    _ mosaic: TilePlane, _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint,
    _ work: LatticePlanes
  ) {
    work.place(rect.expanded(by: reach), planes: planeCount)
    load(mosaic, work)
    // Each step can be done as far from the edge of the tile as those before it reach together.
    var inset = 3
    eachSite(work, inset) { y, phase in greenCandidates(work, y, phase) }
    inset = interpolateChroma(work, 0, inset)
    for pass in 1..<max(passes, 1) {
      if pass == 1 { copyGreen(work) }
      inset += 2
      eachSite(work, inset) { y, phase in
        for candidate in 4..<8 {
          // The first refinement starts from the colors of the first candidates.
          refineGreen(work, y, phase, candidate, from: pass == 1 ? candidate - 4 : candidate)
        }
      }
      inset = interpolateChroma(work, 4, inset)
    }
    for candidate in 0..<candidates { curvature(work, candidate, inset) }
    eachSite(work, inset + 2) { y, phase in uniformity(work, y, phase) }
    for y in rect.y..<rect.endY { choose(work, y, rect, buffer, origin) }
  }

  private func eachSite(_ work: LatticePlanes, _ inset: Int, _ body: (Int, Int) -> Void) {
    for y in work.rect.y + inset..<work.rect.endY - inset {
      for phase in 0..<6 { body(y, phase) }
    }
  }

  /// Red and blue of four candidates from `first` on, given their green; the new inset.
  private func interpolateChroma(_ work: LatticePlanes, _ first: Int, _ inset: Int) -> Int {
    let four = first..<first + 4
    eachSite(work, inset + 2) { y, phase in
      for candidate in four { chromaAtSolitary(work, y, phase, candidate) }
    }
    eachSite(work, inset + 3) { y, phase in
      for candidate in four { oppositeChroma(work, y, phase, candidate) }
    }
    eachSite(work, inset + 5) { y, phase in
      for candidate in four { chromaAtCorner(work, y, phase, candidate) }
    }
    return inset + 5
  }

  /// Columns outside the mosaic plane, where the widened tile has some, repeat its edge; no pixel
  /// that is written reaches them.
  private func load(_ mosaic: TilePlane, _ work: LatticePlanes) {
    for y in work.rect.y..<work.rect.endY {
      let source = mosaic.row(y)
      let shift = work.rect.x - mosaic.rect.x
      for phase in 0..<6 {
        let out = work.row(Self.mosaicPlane, y, phase)
        for i in 0..<work.count {
          out[i] = source[min(max(shift &+ 6 &* i &+ phase, 0), mosaic.rect.width &- 1)]
        }
        for i in vectors(work.count) {
          out.setLanes(i, scale.forward(out.lanes(i)))
        }
      }
    }
  }

  private func copyGreen(_ work: LatticePlanes) {
    for y in work.rect.y..<work.rect.endY {
      for phase in 0..<6 {
        for candidate in 0..<4 {
          work.row(plane(candidate + 4, 1), y, phase).update(
            from: work.row(plane(candidate, 1), y, phase), count: work.count)
        }
      }
    }
  }

  /// Where the samples of `channel` in a candidate stand, (`dx`, `dy`) from those of a phase: in
  /// the mosaic when the filter there is that channel's.
  @inline(__always)
  func samples(
    _ work: LatticePlanes, _ candidate: Int, _ channel: Int, _ y: Int, _ phase: Int, _ dx: Int,
    _ dy: Int
  ) -> MutableRowView {
    let isNative = sites.channel(phase, y, dx, dy) == channel
    let base = work.row(isNative ? Self.mosaicPlane : plane(candidate, channel), y, phase)
    return base.from(work.offset(phase, dx, dy))
  }

  /// Candidate that interpolates along (`dx`, `dy`).
  func direction(_ dx: Int, _ dy: Int) -> Int {
    if dy == 0 { return 0 }
    if dx == 0 { return 1 }
    return dx * dy > 0 ? 2 : 3
  }
}
