import CVector
import ImageCore

/// Files that hold three samples a pixel (linear DNG, ProRAW): levels and balance, no demosaic.
///
/// Floating point files with high dynamic range do not saturate (``SaturationLevel``) and stay as they
/// are. Highlights of the others: such files come from a developer that has already treated them, so nothing is
/// rebuilt. With recovery a pixel whose three channels are all saturated becomes neutral at
/// `ceiling`; without it, a channel above 1.0 becomes 1.0 wherever a channel of the pixel, or of
/// one of its eight neighbours, is saturated.
struct LinearPixels: Sendable {
  let levels: LinearLevels
  let clip: SIMD4<Float>
  let ceiling: Float
  let highlights: SensorSettings.Highlights

  /// Pixels that are read on each side.
  private var reach: Int { highlights == .clipped ? 1 : 0 }

  /// Writes the pixels of `rect` to `buffer`, where `origin` is the position of its first pixel.
  func read(
    _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: SensorWorkspace
  ) {
    load(rect.expanded(by: reach), work)
    for y in rect.y..<rect.endY {
      let shift = rect.x - work.planes[0].rect.x
      let rows = work.planes.map { $0.row(y) + shift }
      let out = (0..<3).map { buffer.row($0, y - origin.y) + (rect.x - origin.x) }
      for c in 0..<3 { out[c].update(from: rows[c], count: rect.width) }
      guard highlights != .kept else { continue }
      var i = 0
      while i < rect.width {
        if cv_anyPositive8(suspects(rows[0].lanes(i), rows[1].lanes(i), rows[2].lanes(i))) {
          for j in i..<min(i + 8, rect.width) {
            let rgb = treated(rect.x + j, y, work)
            (out[0][j], out[1][j], out[2][j]) = (rgb.x, rgb.y, rgb.z)
          }
        }
        i &+= 8
      }
    }
  }

  /// Above zero for pixels whose highlights may have to change.
  @inline(__always)
  private func suspects(
    _ r: SIMD8<Float>, _ g: SIMD8<Float>, _ b: SIMD8<Float>
  ) -> SIMD8<Float> {
    if highlights == .clipped { return cv_max8(cv_max8(r, g), b) - 1 }
    let least = cv_min8(cv_min8(r - clip.x, g - clip.y), b - clip.z)
    return cv_select8(least, SIMD8(repeating: 1), SIMD8(repeating: -1))
  }

  /// Writes the means of 2 × 2 pixels.
  func readReduced(
    _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: SensorWorkspace
  ) {
    let source = PixelRect(
      x: 2 * rect.x, y: 2 * rect.y, width: 2 * rect.width, height: 2 * rect.height)
    let full = work.full
    full.reshape(source.size)
    read(source, into: full, origin: PixelPoint(x: source.x, y: source.y), work)
    for y in 0..<rect.height {
      for c in 0..<3 {
        let (top, bottom) = (full.row(c, 2 * y), full.row(c, 2 * y + 1))
        let out = buffer.row(c, rect.y + y - origin.y) + (rect.x - origin.x)
        for x in 0..<rect.width {
          let left = 2 &* x
          let sum = (top[left] + top[left &+ 1]) + (bottom[left] + bottom[left &+ 1])
          out[x] = sum * 0.25
        }
      }
    }
  }

  /// Share of the pixels saturated in each channel.
  func clippedFraction(_ pool: SensorWorkspacePool, workers: Int) -> SIMD4<Float> {
    guard clip.x.isFinite else { return SIMD4() }
    let size = levels.size
    let bandHeight = 16
    let bands = (size.height + bandHeight - 1) / bandHeight
    let counts = Parallel.map(count: bands, workers: workers) { band in
      let top = band * bandHeight
      let rect = PixelRect(
        x: 0, y: top, width: size.width, height: min(bandHeight, size.height - top))
      return pool.with { work in
        load(rect, work)
        return SIMD3(count(rect, 0, work), count(rect, 1, work), count(rect, 2, work))
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

  private func load(_ rect: PixelRect, _ work: SensorWorkspace) {
    for c in 0..<3 {
      work.planes[c].place(rect)
      levels.load(work.planes[c], sample: c)
    }
  }

  private func treated(_ x: Int, _ y: Int, _ work: SensorWorkspace) -> SIMD3<Float> {
    let rgb = value(x, y, work)
    switch highlights {
    case .kept: return rgb
    case .rebuilt:
      let isAll = rgb.x >= clip.x && rgb.y >= clip.y && rgb.z >= clip.z
      return isAll ? SIMD3(repeating: ceiling) : rgb
    case .clipped: break
    }
    guard rgb.x > 1 || rgb.y > 1 || rgb.z > 1, isSaturatedNearby(x, y, work) else { return rgb }
    return SIMD3(min(rgb.x, 1), min(rgb.y, 1), min(rgb.z, 1))
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
