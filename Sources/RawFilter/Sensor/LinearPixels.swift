import ImageCore

/// Files that hold three samples a pixel (linear DNG, ProRAW): levels and balance, no demosaic.
///
/// Floating point files with high dynamic range do not saturate (``SaturationLevel``) and stay as they
/// are. Highlights of the others: such files come from a developer that has already treated them, so nothing is
/// rebuilt. With recovery a pixel whose three channels are all saturated becomes neutral at
/// `ceiling`; without it, a channel above 1.0 becomes 1.0 wherever a channel of the pixel, or of
/// one of its eight neighbours, is saturated.
struct LinearPixels: Sendable {
  private static let reach = 1

  let levels: LinearLevels
  let clip: SIMD4<Float>
  let ceiling: Float
  let highlights: SensorSettings.Highlights

  /// Writes the pixels of `rect` to `buffer`, where `origin` is the position of its first pixel.
  func read(
    _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: SensorWorkspace
  ) {
    load(rect.expanded(by: Self.reach), work)
    for y in rect.y..<rect.endY {
      for x in rect.x..<rect.endX {
        let rgb = treated(x, y, work)
        for c in 0..<3 { buffer.row(c, y - origin.y)[x - origin.x] = rgb[c] }
      }
    }
  }

  /// Writes the means of 2 × 2 pixels.
  func readReduced(
    _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint, _ work: SensorWorkspace
  ) {
    let source = PixelRect(
      x: 2 * rect.x, y: 2 * rect.y, width: 2 * rect.width, height: 2 * rect.height)
    load(source.expanded(by: Self.reach), work)
    for y in rect.y..<rect.endY {
      for x in rect.x..<rect.endX {
        let top = treated(2 * x, 2 * y, work) + treated(2 * x + 1, 2 * y, work)
        let bottom = treated(2 * x, 2 * y + 1, work) + treated(2 * x + 1, 2 * y + 1, work)
        let rgb = (top + bottom) * 0.25
        for c in 0..<3 { buffer.row(c, y - origin.y)[x - origin.x] = rgb[c] }
      }
    }
  }

  /// Share of the pixels saturated in each channel.
  func clippedFraction(_ pool: SensorWorkspacePool) -> SIMD4<Float> {
    let size = levels.size
    var counts = SIMD4<Int>()
    pool.with { work in
      for y in 0..<size.height {
        load(PixelRect(x: 0, y: y, width: size.width, height: 1), work)
        for c in 0..<3 {
          let row = work.planes[c].row(y)
          for x in 0..<size.width where row[x] >= clip[c] { counts[c] += 1 }
        }
      }
    }
    let total = Float(max(size.area, 1))
    return SIMD4(Float(counts.x), Float(counts.y), Float(counts.z), 0) / total
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
