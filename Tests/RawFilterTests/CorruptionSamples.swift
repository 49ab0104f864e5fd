import ImageCore
import SyntheticRaw

/// Small files in memory, each with other parts to spoil.
enum CorruptionSamples: String, CaseIterable, Sendable {
  case balancedProRAW, unbalancedProRAW, jpegXLProRAW, bayerWithOpcodes, profiles
  case interleavedJPEGXL, deflatedFloats, bigTIFF, vc5

  private static let size = PixelSize(width: 48, height: 32)

  var bytes: [UInt8] {
    get throws {
      switch self {
      case .balancedProRAW: try Self.proRAW(.analogBalance, .losslessJPEG)
      case .unbalancedProRAW: try Self.proRAW(.asShotNeutral, .losslessJPEG)
      case .jpegXLProRAW: try Self.proRAW(.analogBalance, .jpegXL)
      case .bayerWithOpcodes: try Self.opcodes().bytes
      case .profiles: try Self.profiles().bytes
      case .interleavedJPEGXL:
        try Self.ramp(.mosaic(.bayer(.rggb))) {
          $0.compression = .jpegXL
          $0.isInterleaved = true
          $0.version = [1, 7, 1, 0]
        }.bytes
      case .deflatedFloats:
        try Self.ramp(.linear) {
          $0.floats = $0.samples.map { Float($0) / 65_535 }
          $0.compression = .deflate
          $0.usesFloatPredictor = true
          $0.tile = PixelSize(width: 20, height: 16)
        }.bytes
      case .vc5:
        try Self.ramp(.mosaic(.bayer(.gbrg))) {
          $0.size.height = 36
          $0.samples = (0..<$0.size.area).map { UInt16(20_000 + $0 * 37 % 3000) }
          $0.compression = .vc5
        }.bytes
      case .bigTIFF:
        try Self.ramp(.mosaic(.xTrans())) {
          $0.isBigTIFF = true
          $0.byteOrder = .big
          $0.compression = .losslessJPEG
          $0.black = DNGWriter.BlackPattern(
            width: 2, height: 2, levels: [Rational](repeating: Rational(8, 1), count: 4))
        }.bytes
      }
    }
  }

  private static func proRAW(
    _ form: SyntheticProRAW.Form, _ compression: DNGWriter.Compression
  ) throws -> [UInt8] {
    var raw = SyntheticProRAW(size: size, form: form)
    raw.compression = compression
    raw.tile = PixelSize(width: 20, height: 12)
    raw.mapPoints = (3, 4)
    return try raw.file(workers: 1).bytes
  }

  private static func ramp(
    _ layout: DNGWriter.Layout, _ change: (inout DNGWriter) -> Void = { _ in }
  ) -> DNGWriter {
    let count = size.area * (layout == .linear ? 3 : 1)
    var file = DNGWriter(
      size: size, layout: layout, samples: (0..<count).map { UInt16($0 * 37 % 50_000) })
    file.white = [65_535]
    file.metadata = SunsetFixture.metadata(uniqueModel: "Test")
    file.noiseProfile = [SIMD2(1e-4, 1e-7)]
    change(&file)
    return file
  }

  private static func opcodes() -> DNGWriter {
    ramp(.mosaic(.bayer(.grbg))) { file in
      file.activeArea = PixelRect(x: 4, y: 2, width: 40, height: 28)
      file.defaultCrop = PixelRect(x: 2, y: 2, width: 36, height: 24)
      let area = DNGOpcode.Area(top: 0, left: 0, bottom: 28, right: 40)
      var green = area
      green.pitch = [2, 2]
      file.opcodeLists = [
        [.badPixels(phase: 0, [SIMD2(3, 5), SIMD2(9, 9)])],
        [
          .gainMap(green, rows: 3, columns: 4, gains: (0..<12).map { 1 + Float($0) / 20 }),
          .polynomial(area, [0, 0.9, 0.1]), .columnScale(area, [Float](repeating: 1.1, count: 40)),
        ],
        [
          .warp([[1, 0.01, 0, 0, 0, 0]], center: SIMD2(0.5, 0.5)),
          .vignette([0.1, 0.05, 0, 0, 0], center: SIMD2(0.5, 0.5)),
        ],
      ]
    }
  }

  private static func profiles() -> DNGWriter {
    ramp(.linear) { file in
      var look = DNGProfile(name: "Look")
      look.groupName = "Group"
      look.camera = .daylight
      look.hueSatMap = .init(
        divisions: [6, 3, 1], data: (0..<54).map { Float($0 % 3 == 0 ? 2 : 1.1) })
      look.lookTable = .init(
        divisions: [6, 3, 2], data: (0..<108).map { Float($0 % 3 == 0 ? -2 : 0.9) })
      look.toneCurve = (0...16).map { SIMD2(Float($0) / 16, Float($0 * $0) / 256) }
      look.exposureOffset = SignedRational(-1, 2)
      var bright = look
      bright.name = "Look HDR"
      bright.dynamicRange = (true, 4)
      bright.gainTableMap = GainTableMap(
        rows: 2, columns: 3, entries: 8, weights: [0.1, 0.2, 0.1, 0, 0.3]
      ) { position, t in 1.5 - t + position.x / 10 }
      file.camera = .daylight
      file.cameraTags = look.fields(file.byteOrder)
      file.extraProfiles = [bright, look]
    }
  }
}
