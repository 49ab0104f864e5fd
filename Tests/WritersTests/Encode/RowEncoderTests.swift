import Foundation
import HDRRender
import ImageCore
import Testing

@testable import Writers

@Suite struct RowEncoderTests {
  private func codes(_ encoder: some RowEncoder, _ pixels: [SIMD3<Float>]) throws -> [SIMD3<UInt16>]
  {
    let buffer = try PlanarBuffer(size: PixelSize(width: pixels.count, height: 1))
    let rows = buffer.rows(0)
    for plane in 0..<3 { for (x, pixel) in pixels.enumerated() { rows[plane][x] = pixel[plane] } }
    var codes = [UInt16](repeating: 7, count: 3 * pixels.count)
    codes.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      encoder.encode(rows, into: start)
    }
    return pixels.indices.map { SIMD3(codes[3 * $0], codes[3 * $0 + 1], codes[3 * $0 + 2]) }
  }

  /// Values from 2⁻³⁰ to `peak` in small logarithmic steps, and 0.
  private func ramp(to peak: Double) -> [Double] {
    [0] + stride(from: -30, through: log2(peak), by: 0.0007).map { exp2($0) } + [peak]
  }

  /// Rounding costs half a code; the table may add 0.15.
  private func expectExact(
    _ encoder: some RowEncoder, peak: Double, _ signal: (Double) -> Double
  ) throws {
    let linear = ramp(to: peak)
    let made = try codes(encoder, linear.map { SIMD3(repeating: Float($0)) })
    var worst = 0.0
    for (x, code) in zip(linear, made) {
      worst = max(worst, abs(Double(code.x) - 65_535 * signal(Double(Float(x)))))
      #expect(code.x == code.y && code.y == code.z)
    }
    #expect(worst < 0.65)
  }

  @Test func sRGBFollowsItsFormula() throws {
    try expectExact(PowerEncoder.sRGB, peak: 1) { SRGB.signal(linear: $0) }
  }
  @Test func bt2020FollowsItsFormula() throws {
    try expectExact(PowerEncoder.bt2020, peak: 1) { BT2020.signal(linear: $0) }
  }
  @Test func adobeRGBFollowsItsFormula() throws {
    try expectExact(SignalEncoder(signal: SDREncoding.adobeRGB), peak: 1) {
      AdobeRGB.signal(linear: $0)
    }
  }
  @Test func proPhotoFollowsItsFormula() throws {
    try expectExact(SignalEncoder(signal: SDREncoding.proPhoto), peak: 1) {
      ROMM.signal(linear: $0)
    }
  }
  @Test func linearIsLinear() throws { try expectExact(LinearEncoder(), peak: 1) { $0 } }
  @Test func pqFollowsItsFormula() throws {
    try expectExact(SignalEncoder(signal: HDRSignal.pq), peak: 10_000 / 203) {
      PQ.signal(nits: $0 * 203)
    }
  }

  @Test func hlgFollowsItsFormulaInColor() throws {
    let fractions: [SIMD3<Double>] = [
      SIMD3(1, 1, 1), SIMD3(0.7, 0, 0), SIMD3(0, 0.9, 0), SIMD3(0, 0, 0.5),
      SIMD3(0.3, 0.9, 0.02),
    ]
    var worst = 0.0
    for fraction in fractions {
      let linear = ramp(to: 1).map { SIMD3<Float>(fraction * ($0 * 1000 / 203)) }
      for (x, code) in zip(linear, try codes(SignalEncoder(signal: HDRSignal.hlg), linear)) {
        let scene = HLG.scene(display: SIMD3<Double>(x) * 203 / 1000)
        for i in 0..<3 {
          worst = max(worst, abs(Double(code[i]) - 65_535 * HLG.signal(scene: scene[i])))
        }
      }
    }
    #expect(worst < 1.1)
  }

  /// ITU-R BT.2408: reference white is 58 % PQ and 75 % HLG.
  @Test func referenceWhiteHasItsPublishedSignals() throws {
    let white: [SIMD3<Float>] = [SIMD3(1, 1, 1)]
    for (signal, published) in [(HDRSignal.pq, 0.580689), (.hlg, 0.749877)] {
      let code = try codes(SignalEncoder(signal: signal), white)[0].x
      #expect(abs(Double(code) / 65_535 - published) < 1e-5)
    }
    #expect(try codes(PowerEncoder.sRGB, white)[0].x == 65_535)
    #expect(try codes(PowerEncoder.bt2020, white)[0].x == 65_535)
  }

  /// 8 bits are the 16-bit codes, rounded: the nearest of 0…255, for every code.
  @Test func bytesAreRoundedCodes() throws {
    let linear = (0...65_535).map { SIMD3<Float>(repeating: Float($0) / 65_535) }
    let buffer = try PlanarBuffer(size: PixelSize(width: linear.count, height: 1))
    let rows = buffer.rows(0)
    for plane in 0..<3 { for x in linear.indices { rows[plane][x] = linear[x][plane] } }
    var scratch = [UInt16](repeating: 0, count: 3 * linear.count)
    var bytes = [UInt8](repeating: 7, count: 3 * linear.count)
    scratch.withUnsafeMutableBufferPointer { scratch in
      bytes.withUnsafeMutableBufferPointer { bytes in
        guard let codes = scratch.baseAddress, let start = bytes.baseAddress else { return }
        LinearEncoder().encode(rows, scratch: codes, into: start)
      }
    }
    let wrong = linear.indices.filter { Int(bytes[3 * $0]) != ($0 * 510 + 65_535) / 131_070 }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  @Test(
    arguments: [
      PowerEncoder.sRGB, PowerEncoder.bt2020, SignalEncoder(signal: HDRSignal.pq), LinearEncoder(),
      SignalEncoder(signal: HDRSignal.hlg), SignalEncoder(signal: SDREncoding.adobeRGB),
      SignalEncoder(signal: SDREncoding.proPhoto),
    ] as [any RowEncoder])
  func lightOutsideTheSpaceIsClamped(encoder: any RowEncoder) throws {
    let strange: [Float] = [-1, -.infinity, .nan, -.nan, -0.0, .leastNonzeroMagnitude]
    for code in try codes(encoder, strange.map { SIMD3(repeating: $0) }) { #expect(code == .zero) }
    let bright: [Float] = [60, 1e30, .infinity]
    for code in try codes(encoder, bright.map { SIMD3(repeating: $0) }) {
      #expect(code == SIMD3(repeating: 65_535))
    }
  }
}
