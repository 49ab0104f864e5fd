import ImageCore
import Testing

@testable import RawDecode

@Suite struct MattePlaneTests {
  private func plane(
    _ size: PixelSize, window: MattePlane.Window? = nil, frame: PixelSize? = nil,
    at left: Int = 0, _ top: Int = 0, _ value: (Int, Int) -> Float
  ) -> MattePlane {
    var samples: [Float] = []
    for y in 0..<size.height { for x in 0..<size.width { samples.append(value(x, y)) } }
    let frame = frame ?? size
    return MattePlane(
      frame: frame,
      stored: PixelRect(x: left, y: top, width: size.width, height: size.height), samples: samples,
      window: window
        ?? MattePlane.Window(
          x: 0, y: 0, width: Double(frame.width), height: Double(frame.height)))
  }

  @Test func ownSizeIsBitForBit() {
    let size = PixelSize(width: 7, height: 5)
    let full = plane(size) { Float($0 * 31 % 7) / 7 + Float($1) / 100 }
    #expect(full.picture(size) == full.samples)
    // A pixel-aligned window, too.
    let part = MattePlane(
      frame: size, stored: full.stored, samples: full.samples,
      window: MattePlane.Window(x: 2, y: 1, width: 4, height: 3))
    let expected = (1..<4).flatMap { y in (2..<6).map { full.samples[y * 7 + $0] } }
    #expect(part.picture(PixelSize(width: 4, height: 3)) == expected)
  }

  @Test func enlargingIsBilinearOnPixelCenters() {
    let ramp = plane(PixelSize(width: 4, height: 1)) { x, _ in Float(x) }
    // Centers at 0.5, 1.5 … of four pixels fall on quarters of the stored ones; the edge is
    // repeated.
    let expected: [Float] = [0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3]
    #expect(ramp.picture(PixelSize(width: 8, height: 1)) == expected)
    let tall = plane(PixelSize(width: 1, height: 2)) { _, y in Float(y) }
    #expect(tall.picture(PixelSize(width: 1, height: 4)) == [0, 0.25, 0.75, 1])
  }

  @Test func reducingIsTheMeanOverTheArea() {
    let steps = plane(PixelSize(width: 6, height: 2)) { x, y in Float(x + 10 * y) }
    #expect(steps.picture(PixelSize(width: 3, height: 1)) == [5.5, 7.5, 9.5])
    // Partially covered pixels: 0 and half of 1, half of 1 and 2, over 1.5 pixels.
    let cut = plane(PixelSize(width: 3, height: 1)) { x, _ in Float(x) }
      .picture(PixelSize(width: 2, height: 1))
    #expect(zip(cut, [1.0 / 3, 5.0 / 3]).allSatisfy { abs(Double($0) - $1) < 1e-6 })
  }

  @Test func theMeanIsPreserved() {
    let noise = plane(PixelSize(width: 30, height: 18)) { x, y in
      Float((x * 7919 + y * 104_729) % 256) / 255
    }
    func mean(_ values: [Float]) -> Double {
      values.map(Double.init).reduce(0, +) / Double(values.count)
    }
    for size in [PixelSize(width: 10, height: 6), PixelSize(width: 7, height: 5)] {
      #expect(abs(mean(noise.picture(size)) - mean(noise.samples)) < 1e-5)
    }
  }

  @Test func outsideTheStoredPartIsZero() {
    let one = plane(
      PixelSize(width: 2, height: 2), frame: PixelSize(width: 6, height: 4), at: 3, 1
    ) { _, _ in 1 }
    let full = one.picture(PixelSize(width: 6, height: 4))
    for y in 0..<4 {
      for x in 0..<6 {
        #expect(full[y * 6 + x] == ((3..<5).contains(x) && (1..<3).contains(y) ? 1 : 0))
      }
    }
    // Interpolation fades to 0.
    let wide = one.picture(PixelSize(width: 12, height: 4))
    #expect(Array(wide[12..<24]) == [0, 0, 0, 0, 0, 0.25, 0.75, 1, 1, 0.75, 0.25, 0])
    #expect(one.picture(PixelSize(width: 3, height: 2)) == [0, 0.25, 0.25, 0, 0.25, 0.25])
  }

  @Test func valuesKeepTheirRange() {
    let checker = plane(PixelSize(width: 9, height: 9)) { x, y in Float((x + y) % 2) }
    for side in [1, 2, 5, 8, 9, 10, 31, 200] {
      let picture = checker.picture(PixelSize(width: side, height: side))
      #expect(picture.count == side * side)
      #expect(picture.allSatisfy { $0 >= 0 && $0 <= 1.000_001 })
    }
    #expect(checker.picture(PixelSize(width: 0, height: 3)).isEmpty)
  }
}
