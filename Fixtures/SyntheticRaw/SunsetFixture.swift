public import ImageCore

/// The raw files in `Fixtures/`, each generated from its definition here.
public enum SunsetFixture: String, Sendable, CaseIterable {
  /// 14-bit Bayer, lossless JPEG in one strip, little endian.
  case bayer = "sunset-bayer.dng"
  /// 14-bit X-Trans, lossless JPEG in one strip, little endian.
  case xTrans = "sunset-xtrans.dng"
  /// 16-bit linear RGB, lossless JPEG in tiles, big endian.
  case linear = "sunset-linear.dng"

  /// Name of the file.
  public var name: String { rawValue }

  /// The scene, of the size of the active area.
  public var scene: SyntheticScene {
    switch self {
    case .bayer: SyntheticScene(size: PixelSize(width: 1216, height: 816))
    case .xTrans: SyntheticScene(size: PixelSize(width: 1212, height: 812))
    case .linear: SyntheticScene(size: PixelSize(width: 480, height: 320))
    }
  }

  /// The sensor that sees it.
  public var sensor: SimulatedSensor {
    var sensor = SimulatedSensor()
    switch self {
    case .bayer: break
    case .xTrans:
      sensor.pattern = .xTrans()
      sensor.camera.uniqueModel = "rawdev Simulated SX-1"
      sensor.cropMargin = 6
    case .linear:
      sensor.pattern = nil
      sensor.camera.uniqueModel = "rawdev Simulated SL-1"
      sensor.whiteLevel = 65_535
      sensor.bitsPerSample = 16
      sensor.blackQuarters = [0, 0, 0, 0]
      sensor.border = PixelSize(width: 0, height: 0)
      sensor.cropMargin = 0
      sensor.shotNoise = 1e-5
      sensor.readNoise = 1e-8
    }
    return sensor
  }

  /// The file with all its settings.
  public var file: DNGWriter {
    var file = sensor.expose(scene)
    file.compression = .losslessJPEG
    file.metadata = Self.metadata(uniqueModel: file.camera.uniqueModel)
    if self == .linear {
      file.byteOrder = .big
      file.tile = PixelSize(width: 256, height: 192)
      file.version = [1, 6, 0, 0]
    }
    return file
  }

  /// Exif of a camera whose UniqueCameraModel is "rawdev " and its model.
  public static func metadata(uniqueModel: String) -> CaptureMetadata {
    func degrees(_ d: UInt32, _ m: UInt32, _ hundredths: UInt32) -> ExifEntry.Value {
      .rationals([Rational(d, 1), Rational(m, 1), Rational(hundredths, 100)])
    }
    let date = ExifEntry.Value.ascii("2025:06:21 20:27:00")
    var metadata = CaptureMetadata()
    metadata[.image, 0x010F] = .ascii("rawdev")
    metadata[.image, 0x0110] = .ascii(String(uniqueModel.trimmingPrefix("rawdev ")))
    metadata[.image, 0x0131] = .ascii("make-fixtures")
    metadata[.image, 0x0132] = date
    metadata[.image, 0x013B] = .ascii("rawdev")
    metadata[.image, 0x8298] = .ascii("CC0 1.0")
    metadata[.exif, 0x829A] = .rationals([Rational(1, 250)])
    metadata[.exif, 0x829D] = .rationals([Rational(56, 10)])
    metadata[.exif, 0x8822] = .shorts([3])
    metadata[.exif, 0x8827] = .shorts([200])
    metadata[.exif, 0x9003] = date
    metadata[.exif, 0x9004] = date
    metadata[.exif, 0x9011] = .ascii("+03:00")
    metadata[.exif, 0x9204] = .signedRationals([SignedRational(-3, 2)])
    metadata[.exif, 0x9207] = .shorts([5])
    metadata[.exif, 0x9209] = .shorts([16])
    metadata[.exif, 0x920A] = .rationals([Rational(35, 1)])
    metadata[.exif, 0xA405] = .shorts([35])
    metadata[.exif, 0xA432] = .rationals([
      Rational(35, 1), Rational(35, 1), Rational(28, 10), Rational(28, 10),
    ])
    metadata[.exif, 0xA434] = .ascii("Simulated 35mm F2.8")
    metadata[.gps, 1] = .ascii("N")
    metadata[.gps, 2] = degrees(36, 27, 4230)
    metadata[.gps, 3] = .ascii("E")
    metadata[.gps, 4] = degrees(25, 22, 3110)
    metadata[.gps, 5] = .bytes([0])
    metadata[.gps, 6] = .rationals([Rational(148, 1)])
    return metadata
  }
}
