import Foundation
import ImageCore
import RawDecode
import SyntheticRaw
import Testing

@testable import RawFilter

/// DNGs with the sets of tags that phones and drones write, as published descriptions of their
/// files have them; none is at hand. Their scene is known: camera values after all opcodes, before
/// white balance, are those that a lens's shading, divided out, left of it (DNG 1.7.1, chapters 5
/// and 7).
@Suite struct PhoneTwinTests {
  private static let size = PixelSize(width: 128, height: 96)
  private static let neutral = SIMD3<Float>(0.52, 1, 0.61)
  /// How much the gain of each channel rises to the right and to the bottom.
  private static let slopes: [SIMD2<Float>] = [[0.8, 0.3], [0.5, 0.2], [0.4, 0.6]]

  /// Camera values of a smooth scene.
  private static func sceneValue(_ x: Int, _ y: Int) -> SIMD3<Float> {
    let (u, v) = (Float(x) / 128, Float(y) / 96)
    return neutral * SIMD3(0.1 + 0.5 * u, 0.15 + 0.4 * v, 0.5 - 0.3 * u)
  }

  /// The gain of a map at the middle of a pixel; linear, so that few points say all.
  private static func gain(_ channel: Int, _ x: Int, _ y: Int) -> Float {
    let middle = SIMD2((Float(x) + 0.5) / 128, (Float(y) + 0.5) / 96)
    return 1 + (slopes[channel] * middle).sum()
  }

  private static func map(_ channel: Int, _ area: DNGOpcode.Area) -> DNGOpcode {
    let (rows, columns) = (13, 17)
    let gains = (0..<rows * columns).map { index -> Float in
      let at = SIMD2(Float(index % columns) / 16, Float(index / columns) / 12)
      return 1 + (slopes[channel] * at).sum()
    }
    return .gainMap(area, rows: rows, columns: columns, gains: gains)
  }

  /// A map for each position of a mosaic, which begins there.
  private static func maps(_ pattern: MosaicPattern) -> [DNGOpcode] {
    (0..<4).map { place in
      let (y, x) = (UInt32(place / 2), UInt32(place % 2))
      var area = DNGOpcode.Area(top: y, left: x, bottom: 96, right: 128)
      area.pitch = [2, 2]
      return map(pattern.channel(x: Int(x), y: Int(y)), area)
    }
  }

  /// A mosaic of the scene behind `shading`, in counts.
  private static func mosaic(
    _ pattern: MosaicPattern, black: [Float], white: Float,
    shading: (_ channel: Int, _ x: Int, _ y: Int) -> Float
  ) -> DNGWriter {
    var samples: [UInt16] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let channel = pattern.channel(x: x, y: y)
        let (value, dark) = (
          sceneValue(x, y)[channel] * shading(channel, x, y), black[(y % 2) * 2 + x % 2]
        )
        samples.append(UInt16((dark + value * (white - dark)).rounded()))
      }
    }
    var file = DNGWriter(size: size, layout: .mosaic(pattern), samples: samples)
    file.camera = .daylight
    file.asShotNeutral = SIMD3(neutral)
    file.white = [UInt32(white)]
    file.black = DNGWriter.BlackPattern(
      width: 2, height: 2, levels: black.map { Rational(UInt32($0), 1) })
    return file
  }

  private static func preview() throws -> DNGPreview {
    try #require(
      DNGPreview(
        size: PixelSize(width: 32, height: 24),
        srgb: (0..<32 * 24 * 3).map { UInt8($0 % 200) }))
  }

  enum Twin: String, CaseIterable { case pixel, expertRAW, drone, xiaomi }

  private static func file(_ twin: Twin) throws -> DNGWriter {
    var file: DNGWriter
    switch twin {
    case .pixel:
      // Lossless JPEG in tiles, a black level for each position, four maps, a lens that warps.
      let pattern = MosaicPattern.bayer(.rggb)
      file = mosaic(pattern, black: [1024, 1023, 1025, 1022], white: 16383) { 1 / gain($0, $1, $2) }
      (file.compression, file.tile) = (.losslessJPEG, PixelSize(width: 64, height: 48))
      file.opcodeLists = [[], maps(pattern), [.warp([[1, 0, 0, 0, 0, 0]], center: [0.5, 0.5])]]
      file.noiseProfile = [[2e-4, 1e-6], [2e-4, 1e-6], [2e-4, 1e-6]]
      file.baselineExposure = SignedRational(1, 2)
      file.orientation = .right
    case .expertRAW:
      // Merged to three channels, JPEG XL, a map of each plane, more headroom than white.
      let samples = (0..<size.area * 3).map { index -> UInt16 in
        let (pixel, c) = (index / 3, index % 3)
        let (x, y) = (pixel % size.width, pixel / size.width)
        return UInt16((sceneValue(x, y)[c] / gain(c, x, y) * 65535).rounded())
      }
      file = DNGWriter(size: size, layout: .linear, samples: samples)
      (file.version, file.backwardVersion) = ([1, 7, 0, 0], [1, 7, 0, 0])
      (file.compression, file.tile) = (.jpegXL, PixelSize(width: 64, height: 64))
      (file.camera, file.asShotNeutral) = (.daylight, SIMD3(neutral))
      file.white = [65535]
      file.baselineExposure = SignedRational(2, 1)
      file.opcodeLists = [
        [],
        (0..<3).map { plane in
          var area = DNGOpcode.Area(top: 0, left: 0, bottom: 96, right: 128)
          area.planes = [UInt32(plane), 1]
          return map(plane, area)
        }, [],
      ]
    case .drone:
      // Not compressed, a radial vignette behind the demosaic, a mask beside the preview.
      let center = SIMD2<Float>(64, 48)
      file = mosaic(.bayer(.bggr), black: [4096, 4096, 4096, 4096], white: 65535) { _, x, y in
        let away = SIMD2(Float(x) + 0.5, Float(y) + 0.5) - center
        return 1 / (1 + 0.6 * (away * away).sum() / (center * center).sum())
      }
      file.opcodeLists = [[], [], [.vignette([0.6, 0, 0, 0, 0], center: [0.5, 0.5])]]
      file.mattes = [
        try #require(
          DNGMatte(
            size: PixelSize(width: 16, height: 12), semanticName: "sky",
            pixels: [UInt8](repeating: 90, count: 16 * 12)))
      ]
    case .xiaomi:
      // Ten packed bits, a pattern that begins with green, most significant byte first.
      let pattern = MosaicPattern.bayer(.grbg)
      file = mosaic(pattern, black: [64, 64, 64, 64], white: 1023) { 1 / gain($0, $1, $2) }
      (file.bitsPerSample, file.byteOrder) = (10, .big)
      file.opcodeLists = [[], maps(pattern), []]
    }
    file.preview = try preview()
    return file
  }

  @Test(arguments: Twin.allCases) func valuesMatchTheScene(twin: Twin) throws {
    let filter = try RAWFilter(data: Data(try Self.file(twin).bytes))
    let source = try filter.stage3()
    #expect(source.size == Self.size)
    let found = try PlanarBuffer(size: Self.size)
    try source.read(PixelRect(Self.size), into: found)
    // A count of 10 bits under the largest gain, and what a demosaic rounds.
    let tolerance: Float = twin == .xiaomi ? 4e-3 : 1e-3
    var worst: Float = 0
    for y in 4..<Self.size.height - 4 {
      for x in 4..<Self.size.width - 4 {
        let wanted = Self.sceneValue(x, y)
        for c in 0..<3 { worst = max(worst, abs(found.row(c, y)[x] - wanted[c])) }
      }
    }
    #expect(worst <= tolerance, "\(twin): \(worst)")
    #expect(filter.warnings.isEmpty, "\(filter.warnings)")
    let turned = twin == .pixel ? PixelSize(width: 96, height: 128) : Self.size
    #expect(try filter.outputImage().image.size == turned)
  }
}
