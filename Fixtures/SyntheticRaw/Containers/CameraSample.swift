package import ImageCore

/// A camera, a container and a coding whose simulated raw is read, and what reading must give.
/// Cameras are real ones; sizes are small.
package struct CameraSample: Sendable, CustomStringConvertible {
  /// Everything but the samples.
  package var raw: CameraContainer
  /// The level at which the simulated sensor saturates.
  package var saturation: UInt16
  /// What is read of the stored picture.
  package var visible: PixelRect
  /// The picture proper within ``visible``.
  package var crop: PixelRect
  /// White as it is used, where it is not the level of saturation.
  package var white: Double?
  /// Black as it is used, from the first visible pixel on, where it differs from the file's.
  package var black: [Float]?
  /// Whether levels are read times 4.
  package var isQuadrupled = false
  /// Whether the table of cameras has the camera and LibRaw 0.20 does not list it.
  package var isNew = false
  /// Minor numbers of the LibRaw 0.x that decode it.
  package var decoders = 20...99
  /// The farthest that a sample may be from what was stored, in its own units.
  package var loss = 0
  /// What a LibRaw 0.x reads otherwise from a minor number on.
  private var later: [(minor: Int, change: @Sendable (inout CameraSample) -> Void)] = []

  package var description: String { "\(raw.coding.rawValue) \(raw.model) \(raw.bits) bits" }

  fileprivate init(
    _ coding: CameraContainer.Coding, _ make: String, _ model: String, bits: Int = 14,
    columns: Int = 192, rows: Int = 128, pattern: MosaicPattern = .bayer(.rggb),
    border: PixelSize? = nil, black: [UInt16], saturation: UInt16, isNew: Bool = false
  ) {
    let size = PixelSize(width: columns, height: rows)
    raw = CameraContainer(make: make, model: model, coding: coding, size: size, samples: [])
    (raw.bits, raw.pattern, raw.black, raw.white) = (bits, pattern, black, Int(saturation))
    if let border {
      raw.area = PixelRect(
        x: border.width, y: border.height, width: columns - 2 * border.width,
        height: rows - 2 * border.height)
    }
    (visible, crop) = (raw.area, PixelRect(raw.area.size))
    (self.saturation, self.isNew) = (saturation, isNew)
  }

  private func with(_ change: (inout CameraSample) -> Void) -> CameraSample {
    var sample = self
    change(&sample)
    return sample
  }

  /// As a LibRaw from 0.`minor` on reads it.
  private func from(
    libRaw minor: Int, _ change: @escaping @Sendable (inout CameraSample) -> Void
  ) -> CameraSample {
    with { $0.later.append((minor, change)) }
  }

  /// As LibRaw 0.`minor` reads it.
  package func read(byLibRaw minor: Int) -> CameraSample {
    later.filter { $0.minor <= minor }.reduce(self) { $0.with($1.change) }
  }

  /// With the levels and area of a camera that LibRaw lists from 0.`minor` on.
  private func listed(from minor: Int, white: Double = 16_383) -> CameraSample {
    from(libRaw: minor) { ($0.crop, $0.white) = (PixelRect($0.visible.size), white) }
  }

  /// The raw of `light` over the picture proper, linear BT.2020, by a sensor with the color of
  /// `camera`; what is outside the picture proper repeats its edge.
  package func exposed(
    _ camera: SimulatedCamera = .neutral, white: Chromaticity = .d65, kelvin: Double = 6504,
    noise: Float = 0, light: @Sendable (_ x: Int, _ y: Int) -> SIMD3<Float>
  ) -> CameraContainer {
    var sensor = SimulatedSensor()
    (sensor.camera, sensor.white, sensor.kelvin) = (camera, white, kelvin)
    (sensor.pattern, sensor.whiteLevel) = (raw.pattern, saturation)
    sensor.blackQuarters = raw.black.map { UInt32($0) * 4 }
    (sensor.shotNoise, sensor.readNoise) = (noise, noise / 1000)
    let left = visible.x - raw.area.x + crop.x
    let top = visible.y - raw.area.y + crop.y
    let (width, height) = (crop.width, crop.height)
    var exposed = raw
    exposed.samples = sensor.samples(of: raw.size, area: raw.area, workers: 1) { x, y in
      light(min(max(x - left, 0), width - 1), min(max(y - top, 0), height - 1))
    }
    exposed.gains = camera.gains(white: white, kelvin: kelvin)
    return exposed
  }
}

extension CameraSample {
  /// One sample for each coding, and for some more than one, as LibRaw 0.20 reads them.
  package static let examples: [CameraSample] =
    (sony + nikon + fujifilm + canon + olympusAndPanasonic + others + fujifilmLossy)
    .enumerated().map {
      index, sample in
      sample.with { $0.raw.orientation = [.up, .right, .down, .left][index % 4] }
    }

  private static let sony: [CameraSample] = [
    CameraSample(
      .arwUncompressed, "SONY", "ILCE-7M4", black: [512, 510, 514, 511], saturation: 16_383,
      isNew: true
    ).with { $0.crop.width -= 10 }.listed(from: 21),
    CameraSample(
      .arw2, "SONY", "ILCE-7M3", pattern: .bayer(.grbg), black: [512, 511, 513, 514],
      saturation: 16_300
    ).with { ($0.white, $0.loss) = (16_383, 272) },
    CameraSample(
      .arwPacked, "SONY", "DSC-RX100", bits: 12, black: [128, 127, 129, 128], saturation: 4095),
    CameraSample(
      .arwLosslessJPEG, "SONY", "ILCE-7M4", columns: 544, black: [512, 512, 512, 512],
      saturation: 16_383, isNew: true
    ).with { $0.crop.width -= 10 }.listed(from: 21),
    CameraSample(
      .arw6, "SONY", "ILCE-7M5", bits: 16, rows: 136, black: [1024, 1024, 1024, 1024],
      saturation: 32_766, isNew: true
    ).with { $0.loss = 128 },
  ]

  private static let nikon: [CameraSample] = [
    CameraSample(
      .nefLossless, "NIKON CORPORATION", "NIKON Z 8", black: [1008, 1007, 1009, 1010],
      saturation: 15_892, isNew: true
    ).listed(from: 22, white: 15_311),
    CameraSample(
      .nefLossless, "NIKON CORPORATION", "NIKON D7500", bits: 12, pattern: .bayer(.gbrg),
      black: [100, 101, 102, 103], saturation: 4095
    ).with { ($0.raw.byteOrder, $0.white) = (.big, 3827) },
    CameraSample(
      .nefLossy, "NIKON CORPORATION", "NIKON D7500", bits: 12, black: [100, 101, 102, 103],
      saturation: 4095
    ).with { ($0.raw.byteOrder, $0.white, $0.loss) = (.big, 3827, 64) },
    CameraSample(
      .nefLossy, "NIKON CORPORATION", "NIKON Z f", black: [1008, 1008, 1008, 1008],
      saturation: 15_892, isNew: true
    ).with { $0.loss = 300 }.listed(from: 22, white: 15_311),
    CameraSample(
      .nefPacked, "NIKON CORPORATION", "NIKON D7500", bits: 12, black: [100, 101, 102, 103],
      saturation: 4095
    ).with { ($0.raw.byteOrder, $0.white) = (.big, 3827) },
    CameraSample(
      .nefPacked14, "NIKON CORPORATION", "NIKON Z 8", columns: 196,
      black: [1008, 1008, 1008, 1008],
      saturation: 15_892, isNew: true
    ).listed(from: 22, white: 15_311),
  ]

  private static let fujifilm: [CameraSample] = [
    CameraSample(
      .rafUncompressed, "FUJIFILM", "X-T5", columns: 204, rows: 140, pattern: .xTrans(y: 2),
      border: PixelSize(width: 6, height: 6), black: [1020, 1020, 1020, 1020], saturation: 16_383,
      isNew: true),
    CameraSample(
      .rafUncompressed, "FUJIFILM", "GFX50S II", columns: 204, rows: 136,
      border: PixelSize(width: 6, height: 4), black: [64, 65, 66, 67], saturation: 16_000,
      isNew: true
    ).with { $0.white = 15_872 },
    CameraSample(
      .rafPacked14, "FUJIFILM", "X-S20", pattern: .xTrans(x: 3, y: 1),
      black: [1022, 1022, 1022, 1022], saturation: 16_383, isNew: true),
    CameraSample(
      .rafCompressed, "FUJIFILM", "X-S20", columns: 792, rows: 120, pattern: .xTrans(y: 2),
      black: [1022, 1022, 1022, 1022], saturation: 16_383, isNew: true),
    CameraSample(
      .rafCompressed, "FUJIFILM", "GFX50S II", columns: 792, rows: 120, black: [64, 65, 66, 67],
      saturation: 16_000, isNew: true
    ).with { $0.white = 15_872 },
  ]

  /// Last, so that the variants of damage that the others get stay as they are.
  private static let fujifilmLossy: [CameraSample] = [
    CameraSample(
      .rafLossy, "FUJIFILM", "X-S20", columns: 792, rows: 120, pattern: .xTrans(y: 2),
      black: [1022, 1022, 1022, 1022], saturation: 16_383, isNew: true
    ).with { ($0.decoders, $0.loss) = (21...99, 40) }
  ]

  /// LibRaw leaves out the last column and row of sensors that it does not know.
  private static let canon: [CameraSample] = [
    CameraSample(
      .cr2, "Canon", "Canon EOS 7D Mark II", columns: 216, rows: 144,
      border: PixelSize(width: 12, height: 8), black: [2047, 2048, 2049, 2050], saturation: 15_000
    ).with { $0.white = 13_584 },
    CameraSample(
      .cr3, "Canon", "Canon EOS R7", columns: 216, rows: 144,
      border: PixelSize(width: 12, height: 8), black: [511, 512, 513, 514], saturation: 16_000,
      isNew: true),
    CameraSample(
      .cr3, "Canon", "Canon EOS R8", columns: 216, rows: 144, pattern: .bayer(.gbrg),
      border: PixelSize(width: 12, height: 8), black: [511, 512, 513, 514], saturation: 16_000,
      isNew: true),
  ].map { sample in
    sample.with {
      $0.visible.width -= 1
      $0.visible.height -= 1
      $0.crop = PixelRect($0.visible.size)
    }
  }

  private static let olympusAndPanasonic: [CameraSample] = [
    CameraSample(
      .orfPacked, "OLYMPUS CORPORATION", "E-M1MarkIII", bits: 12, black: [254, 255, 256, 257],
      saturation: 4095),
    CameraSample(
      .orfCompressed, "OLYMPUS CORPORATION", "E-M1MarkIII", bits: 12, pattern: .bayer(.gbrg),
      black: [254, 255, 256, 257], saturation: 4095
    ).with { $0.decoders = 20...21 },
    CameraSample(
      .rw2Format4, "Panasonic", "DC-G95", bits: 12, columns: 196, pattern: .bayer(.gbrg),
      black: [143, 143, 143, 143], saturation: 4095
    ).with { $0.loss = 15 }.from(libRaw: 21) { $0.white = 4079 },
    CameraSample(
      .rw2Format4, "LEICA CAMERA AG", "V-Lux 5", bits: 12, columns: 196,
      black: [143, 143, 143, 143], saturation: 4095
    ).with { $0.loss = 15 }.from(libRaw: 21) { $0.white = 4079 },
    CameraSample(
      .rw2Format5, "Panasonic", "DC-G9", bits: 12, columns: 200, black: [128, 128, 128, 128],
      saturation: 4095
    ).from(libRaw: 21) { $0.white = 4079 },
    CameraSample(
      .rw2Format5, "Panasonic", "DC-GH5S", columns: 198, black: [512, 512, 512, 512],
      saturation: 16_383
    ).from(libRaw: 21) { $0.white = 16_319 },
    CameraSample(
      .rw2Format6, "Panasonic", "DC-S5M2", columns: 198, black: [512, 512, 512, 512],
      saturation: 16_353, isNew: true
    ).with { $0.loss = 8 },
    CameraSample(
      .rw2Format7, "Panasonic", "DC-S1R", columns: 198, black: [512, 512, 512, 512],
      saturation: 16_383
    ).from(libRaw: 21) { $0.white = 16_319 },
  ]

  private static let others: [CameraSample] = [
    CameraSample(
      .pef, "RICOH IMAGING COMPANY, LTD.  ", "PENTAX K-3 Mark III", columns: 240, rows: 192,
      black: [64, 65, 66, 67], saturation: 16_315, isNew: true
    ).with { $0.crop = PixelRect(x: 24, y: 34, width: 188, height: 144) }.listed(from: 21),
    CameraSample(
      .pefUncompressed, "RICOH IMAGING COMPANY, LTD.  ", "PENTAX KF", columns: 240, rows: 160,
      pattern: .bayer(.bggr), black: [64, 65, 66, 67], saturation: 16_319, isNew: true
    ).with { $0.crop = PixelRect(x: 62, y: 30, width: 178, height: 116) }.listed(from: 22),
    CameraSample(
      .srw1, "SAMSUNG", "NX300", bits: 12, pattern: .bayer(.grbg), black: [64, 65, 66, 67],
      saturation: 4095),
    CameraSample(
      .srw2, "SAMSUNG", "NX mini", bits: 12, pattern: .bayer(.grbg), black: [64, 65, 66, 67],
      saturation: 4095),
    CameraSample(
      .srw3, "SAMSUNG", "NX1", columns: 656, rows: 448, pattern: .bayer(.grbg),
      black: [128, 129, 130, 131], saturation: 16_383),
    CameraSample(
      .threeFR, "Hasselblad", "Hasselblad X2D 100C", bits: 16, columns: 816, rows: 416,
      black: [4267, 4268, 4269, 4270], saturation: 65_535, isNew: true
    ).with { $0.crop = PixelRect(x: 136, y: 106, width: 562, height: 310) }
      .listed(from: 22, white: 65_535),
    CameraSample(
      .threeFRUncompressed, "Hasselblad", "Hasselblad X1D II 50C", bits: 16,
      black: [256, 257, 258, 259], saturation: 62_914),
    CameraSample(
      .iiqRaw, "Phase One", "IQ4 150MP", bits: 16, columns: 240, rows: 136,
      border: PixelSize(width: 24, height: 4), black: [1024, 1024, 1024, 1024], saturation: 65_535),
    CameraSample(
      .iiqL, "Phase One", "IQ4 150MP", columns: 208, rows: 136,
      border: PixelSize(width: 8, height: 4), black: [256, 256, 256, 256], saturation: 16_383
    ).with { ($0.isQuadrupled, $0.white) = (true, 65_532) },
    CameraSample(
      .iiqL16, "Phase One", "IQ4 150MP", bits: 16, columns: 210, rows: 136,
      border: PixelSize(width: 8, height: 4), black: [1024, 1024, 1024, 1024], saturation: 65_532),
  ]
}
