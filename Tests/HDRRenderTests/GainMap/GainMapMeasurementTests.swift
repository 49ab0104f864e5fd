import ImageCore
import Testing

@testable import HDRRender

@Suite struct GainMapMeasurementTests {
  /// Reads `source` once, in bands of `rows` rows with the row above where they begin at an even
  /// one, cut at column `cut`, from the last to the first if `isUpward`.
  private static func read(
    _ source: some PixelSource<DisplayReferred>, rows: Int, cut: Int, isUpward: Bool = false,
    check: (PixelRect, PlanarBuffer) -> Void = { _, _ in }
  ) throws {
    let buffer = try PlanarBuffer(size: PixelSize(width: 1, height: 1))
    var rects: [PixelRect] = []
    for y in stride(from: 0, to: source.size.height, by: rows) {
      for (left, right) in [(0, cut), (cut, source.size.width)] where left < right {
        let (x, top) = (max(left - 1, 0), max(y - 1, 0))
        rects.append(
          PixelRect(
            x: x, y: top, width: right - x, height: min(y + rows, source.size.height) - top))
      }
    }
    for rect in isUpward ? rects.reversed() : rects {
      try source.read(rect, into: buffer)
      check(rect, buffer)
    }
  }

  @Test(arguments: [false, true], [false, true])
  func theBasePassesAndTheMapIsTheSame(isBaseHDR: Bool, isFull: Bool) throws {
    for (width, height) in [(64, 48), (61, 47), (60, 47), (61, 48), (1, 1), (2, 1), (3, 5)] {
      let (standard, high) = try GainMapCreationTests.renditions(width, height)
      for kind in [GainMapCreation.Kind.luminance, .rgb] {
        let creation = try GainMapCreation(
          kind: kind, scale: isFull ? .full : .half, isBaseHDR: isBaseHDR)
        let wanted = try creation.map(from: standard, to: high)
        for (rows, cut) in [(48, 64), (8, 22), (2, 2), (6, 60)] {
          for isUpward in [false, true] {
            let measured = try GainMapMeasurement(creation, standard: standard, high: high)
            let base = isBaseHDR ? high : standard
            #expect(measured.size == base.size && measured.info == base.info)
            try Self.read(measured, rows: rows, cut: min(cut, width), isUpward: isUpward) {
              rect, buffer in
              let (x, y) = (rect.width - 1, rect.height - 1)
              #expect(buffer.row(1, y)[x] == base[rect.endX - 1, rect.endY - 1].y)
            }
            let found = try measured.result()
            #expect(found.metadata == wanted.metadata)
            #expect(found.highLight.contentHeadroom == wanted.highLight.contentHeadroom)
            // Parts of a sample to the left and right of the cut are added in another order.
            #expect(found.image.size == wanted.image.size)
            for (a, b) in zip(found.image.codes, wanted.image.codes) {
              #expect(abs(Int(a) - Int(b)) <= (width % 2 == 0 || isFull ? 0 : 1))
            }
          }
        }
      }
    }
  }

  @Test func gainsAreMeansOverTheAreas() throws {
    for (width, height) in [(8, 6), (9, 6), (8, 7), (13, 11), (1, 3)] {
      let full = PixelSize(width: width, height: height)
      let size = PixelSize(width: (width + 1) / 2, height: (height + 1) / 2)
      func gain(_ x: Int, _ y: Int) -> Float { Float((x * 7 + y * 13) % 11) - 4 }
      let gains = try GainRatios(size, of: full, channels: 1)
      for top in stride(from: 0, to: height, by: 4) {
        for (left, right) in [(0, min(4, width)), (4, width)] where left < right {
          let rect = PixelRect(
            x: left, y: top, width: right - left, height: min(4, height - top))
          let buffer = try PlanarBuffer(size: rect.size)
          for y in 0..<rect.height {
            for x in 0..<rect.width { buffer.row(0, y)[x] = gain(left + x, top + y) }
          }
          gains.add(buffer, at: rect)
        }
      }
      _ = gains.finish()
      for v in 0..<size.height {
        for u in 0..<size.width {
          let across = AreaCoverage(
            from: Double(u * width) / Double(size.width),
            to: Double((u + 1) * width) / Double(size.width), of: width)
          let down = AreaCoverage(
            from: Double(v * height) / Double(size.height),
            to: Double((v + 1) * height) / Double(size.height), of: height)
          var (sum, total) = (0.0, 0.0)
          for y in down.pixels {
            for x in across.pixels {
              sum += Double(gain(x, y)) * across[x] * down[y]
              total += across[x] * down[y]
            }
          }
          #expect(abs(Double(gains.samples[v * size.width + u]) - sum / total) < 1e-5)
        }
      }
    }
  }
}
