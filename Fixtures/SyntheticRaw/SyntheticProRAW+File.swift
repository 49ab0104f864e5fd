import Foundation
public import ImageCore

extension SyntheticProRAW {
  /// The largest side of the preview, as phones write it for pictures of any size.
  private static let previewWidth = 4032

  /// The file with all its settings.
  public func file(workers: Int = Parallel.defaultWorkers) -> DNGWriter {
    let codes = codes(workers: workers)
    var file = DNGWriter(size: size, layout: .linear, samples: codes)
    file.byteOrder = .big
    file.firstDirectoryOffset = 18
    file.bitsPerSample = bitsPerSample
    file.compression = compression
    file.jpegXLDistance = jpegXLDistance
    file.tile = tile
    file.version = compression == .jpegXL ? [1, 7, 0, 0] : [1, 6, 0, 0]
    if form == .asShotNeutral, compression != .jpegXL { file.version = [1, 4, 0, 0] }
    file.backwardVersion = compression == .jpegXL ? [1, 7, 0, 0] : [1, 3, 0, 0]
    file.camera = form.camera
    file.asShotNeutral = form.asShotNeutral
    file.baselineExposure = form.baselineExposure
    file.white = [65_535]
    file.writesDefaultCrop = false
    file.noiseProfile = [Self.noise]
    file.orientation = orientation
    file.metadata = metadata
    file.preview = preview(codes, workers: workers)
    file.mattes = ProRAWMattes.all(of: size)
    // Black without BlackLevelRepeatDim, as phones write it.
    let black = [Rational](repeating: Rational(0, 1), count: 3)
    file.additionalFields = [
      50714: .rationals(black), 50712: .shorts(linearizationTable),
      51110: .longs([1]), 52525: gainTableMap.version1(.big),
    ]
    var profile = DNGProfile(name: "Apple Embedded Color Profile")
    profile.toneCurve = Self.toneCurve
    file.cameraTags = profile.fields(.big)
    file.cameraTags[50732] = .rationals([Rational(3, 2)])
    file.cameraTags[50935] = .rationals([Rational(19, 20)])
    if form == .analogBalance {
      let gains = form.analogBalance
      file.cameraTags[50727] = .rationals(
        (0..<3).map { Rational(UInt32((gains[$0] * 100).rounded()), 100) })
    }
    return file
  }

  /// Gains above 1 in the shadows, below 0.4 in the highlights, a little stronger at the top left;
  /// the weighted sum of a neutral reaches 1 at half of full scale, or, with gains in
  /// AsShotNeutral, at four times display white, as in the headers of such files.
  public var gainTableMap: GainTableMap {
    let isBalanced = form == .analogBalance
    let (high, low): (Float, Float) = isBalanced ? (1.49, 0.38) : (4.25, 0.243)
    let luminanceWeights: [Float] = [0.1063, 0.3577, 0.0360, 0, 0.5]
    let full = Float(exp2(form.baselineExposure.value ?? 0))
    // A neutral of the reader is 1 in all channels where the strongest is saturated.
    return GainTableMap(
      rows: mapPoints.rows, columns: mapPoints.columns, entries: 257,
      weights: luminanceWeights.map { $0 * (isBalanced ? 2 / full : 0.246) }
    ) { position, t in
      let strength = 1 - 0.1 * (position.x + position.y - 2 * position.x * position.y)
      let top = high * strength
      // The product with the gain increases with the value.
      if !isBalanced { return top / (1 + (top / low - 1) * t) }
      let rest = 1 - t
      return low + (top - low) * rest * rest * rest
    }
  }

  /// 257 points of a curve with a toe: x − 0.9·x·(1 − x)^24, which starts at a tenth of the slope.
  static var toneCurve: [SIMD2<Float>] {
    (0...256).map { i in
      let x = Float(i) / 256
      return SIMD2(x, x - 0.9 * x * pow(1 - x, 24))
    }
  }

  private var metadata: CaptureMetadata {
    var metadata = SunsetFixture.metadata(uniqueModel: form.camera.uniqueModel)
    metadata[.exif, 0x829D] = .rationals([Rational(16, 10)])
    metadata[.exif, 0x920A] = .rationals([Rational(42, 10)])
    metadata[.exif, 0xA405] = .shorts([26])
    metadata[.exif, 0xA432] = .rationals([
      Rational(154, 100), Rational(6, 1), Rational(16, 10), Rational(24, 10),
    ])
    metadata[.exif, 0xA434] = .ascii("Simulated back triple camera 4.2mm f/1.6")
    metadata[.exif, 0xA002] = .longs([UInt32(size.width)])
    metadata[.exif, 0xA003] = .longs([UInt32(size.height)])
    return metadata
  }

  /// The scene as sRGB, clipped at its white, every second pixel of pictures too large for it.
  private func preview(_ codes: [UInt16], workers: Int) -> DNGPreview? {
    let step = size.width > Self.previewWidth ? 2 : 1
    let small = PixelSize(
      width: max(1, size.width / step), height: max(1, size.height / step))
    let table = linearizationTable.map { Double($0) / 65_535 }
    let matrix = ProRAWColor(form).toSRGB * exp2(form.headroomStops)
    let signal = (0...4095).map { UInt8((SRGB.signal(linear: Double($0) / 4095) * 255).rounded()) }
    let rows = certain {
      try Parallel.map(count: small.height, workers: workers) { y -> [UInt8] in
        var row = [UInt8](repeating: 0, count: small.width * 3)
        for x in 0..<small.width {
          let i = (y * step * size.width + x * step) * 3
          let camera = SIMD3(
            table[Int(codes[i])], table[Int(codes[i + 1])], table[Int(codes[i + 2])])
          let rgb = matrix * camera
          for c in 0..<3 {
            row[3 * x + c] = signal[Int((min(1, max(0, rgb[c])) * 4095).rounded())]
          }
        }
        return row
      }
    }
    return DNGPreview(size: small, srgb: rows.flatMap { $0 })
  }
}
