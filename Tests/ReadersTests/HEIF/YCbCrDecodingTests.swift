import Containers
import ImageCore
import Testing

@testable import Readers

@Suite struct YCbCrDecodingTests {
  private func codes(
    _ luma: UInt16, _ cb: UInt16, _ cr: UInt16, _ matrix: UInt16, full: Bool, bits: Int = 10,
    channels: Int = 3, primaries: UInt16 = 1, transfer: UInt16 = 1
  ) throws -> [UInt16] {
    let decoding = try YCbCrDecoding(
      matrix: matrix, primaries: primaries, transfer: transfer, isFullRange: full, bits: bits,
      isGray: channels == 1)
    var out = [UInt16](repeating: 0, count: channels)
    withUnsafePointer(to: luma) { luma in
      withUnsafePointer(to: cb) { cb in
        withUnsafePointer(to: cr) { cr in
          decoding.convert(
            .init(luma: luma, cb: cb, cr: cr), x: 0, &out, count: 1, channels: channels)
        }
      }
    }
    return out
  }

  /// Narrow range is 64…940 of 10 bits for luma, 64…960 for chroma (H.273 8.3).
  @Test(arguments: [UInt16(1), 2, 4, 5, 6, 7, 8, 9])
  func grayStaysGray(matrix: UInt16) throws {
    for (luma, gray) in [(64, 0), (940, 1023), (502, 512), (0, 0), (1023, 1023)] {
      let code = try codes(UInt16(luma), 512, 512, matrix, full: false)
      #expect(code == [UInt16](repeating: UInt16(gray), count: 3), "\(luma)")
    }
    #expect(try codes(700, 512, 512, matrix, full: true) == [700, 700, 700])
  }

  /// The corners of the color cube, coded by the equations of H.273.
  @Test(arguments: [
    (UInt16(1), 0.2126, 0.0722), (6, 0.299, 0.114), (9, 0.2627, 0.0593), (7, 0.212, 0.087),
  ])
  func corners(matrix: UInt16, red: Double, blue: Double) throws {
    for corner in 1..<7 {
      let rgb = (0..<3).map { Double(corner >> $0 & 1) }
      let luma = red * rgb[0] + (1 - red - blue) * rgb[1] + blue * rgb[2]
      let cb = (rgb[2] - luma) / (2 * (1 - blue))
      let cr = (rgb[0] - luma) / (2 * (1 - red))
      let narrow = try codes(
        UInt16((876 * luma + 64).rounded()), UInt16((896 * cb + 512).rounded()),
        UInt16((896 * cr + 512).rounded()), matrix, full: false)
      for channel in 0..<3 { #expect(abs(Int(narrow[channel]) - Int(1023 * rgb[channel])) <= 2) }
    }
  }

  @Test func codesOfOtherKinds() throws {
    // Identity: green, blue, red.
    #expect(try codes(100, 200, 300, 0, full: true) == [300, 100, 200])
    #expect(try codes(940, 64, 502, 0, full: false) == [512, 1023, 0])
    // YCgCo: pure green has Cg of a half.
    #expect(try codes(512, 1023, 512, 8, full: true) == [1, 1023, 1])
    #expect(try codes(64, 0, 0, 6, full: false, channels: 1) == [0])
    #expect(try codes(235, 0, 0, 6, full: false, bits: 8, channels: 1) == [255])
    for matrix in [UInt16(3), 11, 14, 15, 255] {
      #expect(throws: FormatError.self) { try codes(0, 0, 0, matrix, full: true) }
    }
    for matrix in [UInt16(12), 13] {
      #expect(throws: FormatError.self) { try codes(0, 0, 0, matrix, full: true, primaries: 11) }
    }
    #expect(throws: FormatError.self) { try codes(0, 0, 0, 10, full: true, transfer: 4) }
  }

  /// All mixes of these signals.
  private func mixes(
    of steps: [Double] = [0, 0.2, 0.5, 0.75, 1], _ body: (SIMD3<Double>) throws -> Void
  ) rethrows {
    for r in steps { for g in steps { for b in steps { try body(SIMD3(r, g, b)) } } }
  }

  /// 12 bits of narrow range, decoded to within two codes of what they were made of.
  private func check(
    _ rgb: SIMD3<Double>, _ ycc: SIMD3<Double>, _ matrix: UInt16, primaries: UInt16 = 9,
    transfer: UInt16
  ) throws {
    func code(_ value: Double, _ span: Double, _ zero: Double) -> UInt16 {
      UInt16((16 * (span * value + zero)).rounded())
    }
    let found = try codes(
      code(ycc.x, 219, 16), code(ycc.y, 224, 128), code(ycc.z, 224, 128), matrix, full: false,
      bits: 12, primaries: primaries, transfer: transfer)
    for c in 0..<3 {
      // A code of luma is many of a dark channel, whose curve is steep.
      let least = rgb[c] > 0 ? 4.0 : transfer > 15 ? 400 : 40
      #expect(abs(Double(found[c]) - 4095 * rgb[c]) <= least, "\(rgb) \(found)")
    }
  }

  /// BT.2020's constant luminance, with the spans of its table 4, and one derived from primaries.
  @Test(arguments: [UInt16(10), 13])
  func constantLuminance(matrix: UInt16) throws {
    try mixes { rgb in
      let linear = SIMD3((0..<3).map { BT2020.exactLinear(signal: rgb[$0]) })
      let luma = BT2020.exactSignal(linear: (SIMD3(0.2627, 0.6780, 0.0593) * linear).sum())
      let (blue, red) = (rgb.z - luma, rgb.x - luma)
      let ycc = SIMD3(
        luma, blue / (2 * (blue < 0 ? 0.9702 : 0.7910)), red / (2 * (red < 0 ? 0.8591 : 0.4969)))
      try check(rgb, ycc, matrix, transfer: 14)
    }
  }

  /// BT.2100's ICtCp of PQ and hybrid log-gamma, from its tables.
  @Test(arguments: [UInt16(16), 18])
  func ictcp(transfer: UInt16) throws {
    func linearized(_ signal: Double) -> Double {
      transfer == 16 ? PQ.nits(signal: signal) / 10_000 : HLG.scene(signal: signal)
    }
    func signal(_ linear: Double) -> Double {
      transfer == 16 ? PQ.signal(nits: 10_000 * linear) : HLG.signal(scene: linear)
    }
    let tritan: SIMD3<Double> =
      transfer == 16 ? SIMD3(6610, -13613, 7003) : SIMD3(3625, -7465, 3840)
    let protan: SIMD3<Double> =
      transfer == 16 ? SIMD3(17933, -17390, -543) : SIMD3(9500, -9212, -288)
    // Further apart, a code of one channel is many of another.
    try mixes(of: [0.3, 0.45, 0.6]) { rgb in
      let linear = SIMD3(linearized(rgb.x), linearized(rgb.y), linearized(rgb.z))
      let cones = SIMD3(
        signal((SIMD3(1688, 2146, 262) / 4096 * linear).sum()),
        signal((SIMD3(683, 2951, 462) / 4096 * linear).sum()),
        signal((SIMD3(99, 309, 3688) / 4096 * linear).sum()))
      let ycc = SIMD3(
        (cones.x + cones.y) / 2, (tritan / 4096 * cones).sum(), (protan / 4096 * cones).sum())
      try check(rgb, ycc, 14, transfer: transfer)
      if rgb.x == rgb.y, rgb.y == rgb.z { #expect(abs(ycc.y) < 1e-9 && abs(ycc.z) < 1e-9) }
    }
  }

  /// Derived from primaries: for BT.709 and BT.2020 it is theirs, up to the rounding of their
  /// published numbers.
  @Test(arguments: [(UInt16(1), UInt16(1)), (9, 9)])
  func matrixOfPrimaries(matrix: UInt16, primaries: UInt16) throws {
    for (luma, cb, cr) in [(100, 600, 300), (700, 200, 800), (512, 512, 1000)]
      as [(UInt16, UInt16, UInt16)]
    {
      let derived = try codes(luma, cb, cr, 12, full: true, primaries: primaries)
      let named = try codes(luma, cb, cr, matrix, full: true)
      for channel in 0..<3 { #expect(abs(Int(derived[channel]) - Int(named[channel])) <= 1) }
    }
  }

  /// The lifting steps of YCgCo-R, each of which reverses one of the encoder's.
  @Test(arguments: [UInt16(16), 17]) func reversibleYCgCo(matrix: UInt16) throws {
    let spare = matrix == 16 ? 2 : 1
    let top = 1023 >> spare
    for (red, green, blue) in [
      (0, 0, 0), (top, 0, 3), (17, 200, 99), (5, top, top), (top, top, top),
    ] {
      let co = red - blue
      let rest = blue + co >> 1
      let cg = green - rest
      let luma = rest + cg >> 1
      let code = try codes(
        UInt16(luma), UInt16(cg + 512), UInt16(co + 512), matrix, full: true)
      let back = code.map { (Int($0) * top * 2 + 1023) / 2046 }
      #expect(back == [red, green, blue])
    }
  }
}
