import CKernels
import ImageCore
import RawData

/// Superpixels: one pixel from each smallest block of photosites that holds all colors, by the mean
/// of each: 2 × 2 for Bayer, 3 × 3 for X-Trans, 2 × 2 without a filter. No interpolation, no
/// aliasing beyond the sensor's; red and blue are displaced by up to a photosite.
struct SuperpixelReduction: Sendable {
  /// Photosites along a block.
  let factor: Int

  private let cfa: CFA
  private let matrix: ChannelMatrix
  /// The channels of the photosites of a block, row by row, for each block of the pattern.
  private let channels: [Int]
  private let counts: [SIMD4<Float>]

  /// Nil when the pattern has no such block within twice its period.
  init?(_ cfa: CFA, matrix: ChannelMatrix) {
    let all = Set(cfa.channels)
    let factors = 2...max(2, 2 * max(cfa.width, cfa.height))
    guard let factor = factors.first(where: { Self.holdsAll(cfa, $0, all) }) else { return nil }
    self.factor = factor
    self.cfa = cfa
    self.matrix = matrix
    channels = (0..<cfa.width * cfa.height * factor * factor).map { index in
      let (block, site) = index.quotientAndRemainder(dividingBy: factor * factor)
      return cfa.channel(
        x: block % cfa.width * factor + site % factor,
        y: block / cfa.width * factor + site / factor)
    }
    counts = stride(from: 0, to: channels.count, by: factor * factor).map { [channels] first in
      channels[first..<first + factor * factor].reduce(into: SIMD4()) { $0[$1] += 1 }
    }
  }

  private static func holdsAll(_ cfa: CFA, _ factor: Int, _ all: Set<UInt8>) -> Bool {
    for blockY in 0..<cfa.height {
      for blockX in 0..<cfa.width {
        var found: Set<UInt8> = []
        for y in 0..<factor {
          for x in 0..<factor {
            found.insert(
              UInt8(cfa.channel(x: blockX * factor + x, y: blockY * factor + y)))
          }
        }
        if found != all { return false }
      }
    }
    return true
  }

  /// Mean position of a color of a pixel, from the center of its block, in photosites.
  func displacement(of color: Int) -> SIMD2<Double> {
    var weights = SIMD4<Float>()
    for c in 0..<4 {
      var unit = SIMD4<Float>()
      unit[c] = 1
      weights[c] = cfa.channelCount == 4 ? matrix.apply(unit)[color] : unit[color]
    }
    let (columns, rows) = (cfa.width, cfa.height)
    var sum = SIMD2<Double>()
    for block in 0..<columns * rows {
      var (sums, counts) = ([SIMD2<Double>](repeating: SIMD2(), count: 4), SIMD4<Double>())
      for i in 0..<factor * factor {
        let (dx, dy) = (i % factor, i / factor)
        let channel = cfa.channel(
          x: block % columns * factor + dx, y: block / columns * factor + dy)
        sums[channel] += SIMD2(Double(dx), Double(dy)) - Double(factor - 1) / 2
        counts[channel] += 1
      }
      var total = 0.0
      var mean = SIMD2<Double>()
      for c in 0..<4 where counts[c] > 0 {
        mean += sums[c] / counts[c] * Double(weights[c])
        total += Double(weights[c])
      }
      if total != 0 { sum += mean / total }
    }
    return sum / Double(columns * rows)
  }

  /// The photosites of the pixels of `rect`.
  func source(_ rect: PixelRect) -> PixelRect {
    PixelRect(
      x: rect.x * factor, y: rect.y * factor, width: rect.width * factor,
      height: rect.height * factor)
  }

  /// Writes the pixels of `rect` to `buffer`, where `origin` is the position of its first pixel.
  func reduce(
    _ mosaic: TilePlane, _ rect: PixelRect, into buffer: PlanarBuffer, origin: PixelPoint
  ) {
    for y in rect.y..<rect.endY {
      let out = buffer.rows(y - origin.y).from(rect.x - origin.x)
      if cfa.kind == .bayer {
        reduceBayer(mosaic, rect, y, into: out)
      } else {
        let done = cfa.kind == .xTrans && factor == 3 ? reduceXTrans(mosaic, rect, y, into: out) : 0
        reduceAny(mosaic, rect, y, from: done, into: out)
      }
    }
  }

  private func reduceBayer(
    _ mosaic: TilePlane, _ rect: PixelRect, _ y: Int, into rows: RGBRows
  ) {
    let (red, green, blue) = (
      rows.red.kernel(rect.width), rows.green.kernel(rect.width), rows.blue.kernel(rect.width)
    )
    func row(_ y: Int) -> UnsafeMutablePointer<Float> {
      mosaic.row(y).from(2 * rect.x - mosaic.rect.x)
        .kernel(2 * rect.width, behind: ck_reduceBayer_behind)
    }
    let isGreenFirst = cfa.channel(x: 0, y: 0) == 1
    let isRedOnTop = cfa.channel(x: 0, y: 0) == 0 || cfa.channel(x: 1, y: 0) == 0
    let (topChroma, bottomChroma) = isRedOnTop ? (red, blue) : (blue, red)
    ck_reduceBayer(
      row(2 * y), row(2 * y + 1), isGreenFirst ? 1 : 0, green, topChroma, bottomChroma,
      Int64(rect.width))
  }

  /// Returns the number of pixels written, all but a few.
  private func reduceXTrans(
    _ mosaic: TilePlane, _ rect: PixelRect, _ y: Int, into rows: RGBRows
  ) -> Int {
    let count = rect.width & ~15
    // Blocks repeat with every second column.
    let block = y % cfa.height * cfa.width + rect.x % 2
    let sites = channels[(block * factor * factor)...].prefix(2 * factor * factor).map { Int64($0) }
    let from = mosaic.row(y * factor).from(rect.x * factor - mosaic.rect.x)
      .kernel(factor * count, behind: ck_reduceXTrans_behind)
    ck_reduceXTrans(from, Int64(mosaic.stride), sites, rows.kernel, Int64(count))
    return count
  }

  private func reduceAny(
    _ mosaic: TilePlane, _ rect: PixelRect, _ y: Int, from start: Int, into rows: RGBRows
  ) {
    let (red, green, blue) = (rows.red, rows.green, rows.blue)
    let isGray = cfa.channelCount == 1
    let isFour = cfa.channelCount == 4
    let sites = factor &* factor
    let blocks = y % cfa.height &* cfa.width
    let top = mosaic.row(y &* factor).from(rect.x &* factor &- mosaic.rect.x)
    var column = (rect.x + start) % cfa.width
    for x in start..<rect.width {
      var sum = SIMD4<Float>()
      let block = blocks &+ column
      for dy in 0..<factor {
        let row = top.start + (dy &* mosaic.stride &+ x &* factor)
        let first = block &* sites &+ dy &* factor
        for dx in 0..<factor { sum[channels[first &+ dx]] += row[dx] }
      }
      column = column &+ 1 == cfa.width ? 0 : column &+ 1
      let count = counts[block]
      let mean = sum / count
      if isGray {
        (red[x], green[x], blue[x]) = (mean.x, mean.x, mean.x)
      } else if isFour {
        let rgb = matrix.apply(mean)
        (red[x], green[x], blue[x]) = (rgb.x, rgb.y, rgb.z)
      } else {
        (red[x], green[x], blue[x]) = (mean.x, mean.y, mean.z)
      }
    }
  }
}
