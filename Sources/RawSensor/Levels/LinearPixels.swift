import CVector
import ImageCore

/// Files with three samples per pixel (linear DNG, ProRAW): levels and balance, no demosaic.
///
/// Floating point files with high dynamic range do not saturate (``SaturationLevel``) and stay as
/// they are. Highlights of the others: with reconstruction ``LinearHighlights``; without it, a
/// channel above 1.0 under the white in use is limited to 1.0 where a channel of the pixel, or of
/// one of its eight neighbors, is saturated.
struct LinearPixels: Sendable {
  let levels: LinearLevels
  let clip: SIMD4<Float>
  /// Largest value under the white in use.
  let ceiling: Float
  /// ``SensorSettings/white``.
  let white: SIMD4<Float>
  let highlights: SensorSettings.Highlights

  /// Pixels that are read on each side.
  private var reach: Int { highlights == .clipped ? 1 : 0 }

  /// Writes the pixels of `rect` to `buffer`, where `origin` is the position of its first pixel.
  func read(
    _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: SensorWorkspace
  ) throws(PixelError) {
    if reach > 0 { try load(rect.expanded(by: reach), work) }
    for y in rect.y..<rect.endY {
      let out = buffer.rows(y - origin.y).from(rect.x - origin.x).prefix(rect.width)
      levels.load(row: y, from: rect.x, into: out)
      switch highlights {
      case .kept: break
      case .guided:
        if clip.x.isFinite {
          LinearHighlights(clip: clip, ceiling: ceiling, white: white).apply(out)
        }
      case .clipped: clipRow(y, rect, out, work)
      }
    }
  }

  private func clipRow(
    _ y: Int, _ rect: PixelRect, _ out: RGBRows, _ work: SensorWorkspace
  ) {
    let end = SIMD4<Float>.one / white
    let lowest = min(end.x, end.y, end.z)
    for i in vectors(rect.width) {
      let high = out.lanes(i).highest
      if cv_anyPositive8(high - lowest) {
        for j in i..<min(i + 8, rect.width) where isSaturatedNearby(rect.x + j, y, work) {
          for c in 0..<3 { out[c][j] = min(out[c][j], end[c]) }
        }
      }
    }
  }

  /// Writes the means of 2 × 2 pixels.
  func readReduced(
    _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: SensorWorkspace
  ) throws(PixelError) {
    let source = rect.doubleSize
    let full = work.full
    try full.reshape(source.size)
    try read(source, into: full, origin: PixelPoint(x: source.x, y: source.y), work)
    for y in 0..<rect.height {
      for c in 0..<3 {
        let (top, bottom) = (full.row(c, 2 * y), full.row(c, 2 * y + 1))
        let out = buffer.row(c, rect.y + y - origin.y).from(rect.x - origin.x)
        for x in 0..<rect.width {
          let left = 2 &* x
          let sum = (top[left] + top[left &+ 1]) + (bottom[left] + bottom[left &+ 1])
          out[x] = sum * 0.25
        }
      }
    }
  }

  /// Fraction of the pixels saturated in each channel; fills `extrema`. Reads the full picture.
  func clippedFraction(
    _ extrema: BlockExtrema, _ pool: WorkspacePool<SensorWorkspace>, workers: Int
  ) throws(PixelError) -> SIMD4<Float> {
    let size = levels.size
    if let found = try levels.storedRanges(reaching: clip, extrema, workers: workers) {
      return SIMD4<Float>(found) / Float(max(size.area, 1))
    }
    // Rows that stay in the cache of a core.
    let step = 16
    let counts = try Parallel.map(count: extrema.count.height, workers: workers) {
      line throws(PixelError) in
      try pool.with { work throws(PixelError) in
        var found = SIMD3<Int>()
        let end = min((line + 1) * BlockExtrema.blockHeight, size.height)
        for top in stride(from: line * BlockExtrema.blockHeight, to: end, by: step) {
          let rect = PixelRect(x: 0, y: top, width: size.width, height: min(step, end - top))
          try load(rect, work)
          for c in 0..<3 {
            for y in top..<rect.endY { extrema.add(work.planes[c].row(y), channel: c, y: y) }
            if clip[c].isFinite { found[c] += count(rect, c, work) }
          }
        }
        return found
      }
    }
    let all = counts.reduce(SIMD3<Int>()) { $0 &+ $1 }
    let total = Float(max(size.area, 1))
    return SIMD4(Float(all.x), Float(all.y), Float(all.z), 0) / total
  }

  private func count(_ rect: PixelRect, _ channel: Int, _ work: SensorWorkspace) -> Int {
    var found = 0
    for y in rect.y..<rect.endY {
      let row = work.planes[channel].row(y)
      let limit = clip[channel]
      for x in 0..<rect.width where row[x] >= limit { found &+= 1 }
    }
    return found
  }

  private func load(_ rect: PixelRect, _ work: SensorWorkspace) throws(PixelError) {
    for c in 0..<3 {
      try work.planes[c].reshape(rect)
      levels.load(work.planes[c], sample: c)
    }
  }

  private func value(_ x: Int, _ y: Int, _ work: SensorWorkspace) -> SIMD3<Float> {
    let i = x - work.planes[0].rect.x
    return SIMD3(work.planes[0].row(y)[i], work.planes[1].row(y)[i], work.planes[2].row(y)[i])
  }

  private func isSaturatedNearby(_ x: Int, _ y: Int, _ work: SensorWorkspace) -> Bool {
    for dy in -1...1 {
      for dx in -1...1 {
        let rgb = value(x + dx, y + dy, work)
        if rgb.x >= clip.x || rgb.y >= clip.y || rgb.z >= clip.z { return true }
      }
    }
    return false
  }
}
