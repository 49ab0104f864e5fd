import Containers
public import ImageCore
public import RawDecode

/// Sensor samples in memory: for cameras that a program controls itself, and for raws decoded by
/// other software.
///
/// ``RAWFilter/init(samples:limits:)`` treats it as an uncompressed DNG with these tags (DNG 1.7.1,
/// chapters 3 and 4), so everything that applies to DNGs applies here. Cost: a copy of the samples,
/// two bytes each, for the lifetime of the filter.
public struct RAWSamples: Sendable, Hashable {
  /// How samples lie.
  public enum Layout: Sendable, Hashable {
    /// One sample a pixel behind color filters, given for the first 2 × 2 pixels, row by row: 0
    /// red, 1 green, 2 blue.
    case bayer([UInt8])
    /// Three samples a pixel: red, green, blue.
    case rgb
    /// One sample a pixel without color filters.
    case monochrome

    /// Samples of a pixel.
    var channels: Int { self == .rgb ? 3 : 1 }
  }

  /// Columns and rows.
  public var size: PixelSize
  /// How samples lie.
  public var layout: Layout
  /// The samples, row by row.
  public var samples: [UInt16]
  /// The black level.
  public var black: Double
  /// The white level: saturation.
  public var white: Double
  /// CIE XYZ under D65 to camera values; nil for sRGB. Ignored for monochrome samples.
  public var colorMatrix: Matrix3?
  /// Camera values of a neutral surface under the scene's illuminant, at any scale; nil for D65.
  public var neutral: SIMD3<Double>?
  /// Baseline exposure in stops.
  public var baselineExposure = 0.0
  /// The orientation of the stored picture.
  public var orientation = Orientation.up
  /// Noise of values of 0…1 between black and white, as variance = scale · value + offset; nil to
  /// measure it.
  public var noise: (scale: Double, offset: Double)? {
    get { noiseProfile.map { ($0[0], $0[1]) } }
    set { noiseProfile = newValue.map { [$0.scale, $0.offset] } }
  }
  private var noiseProfile: [Double]?
  /// The camera, as warnings and lens databases name it.
  public var cameraModel = "Unknown"

  /// Samples without further metadata.
  public init(
    size: PixelSize, layout: Layout, samples: [UInt16], black: Double, white: Double,
    colorMatrix: Matrix3? = nil, neutral: SIMD3<Double>? = nil
  ) {
    (self.size, self.layout, self.samples) = (size, layout, samples)
    (self.black, self.white) = (black, white)
    (self.colorMatrix, self.neutral) = (colorMatrix, neutral)
  }

  /// The samples as a DNG.
  func dng() throws(RAWError) -> [UInt8] {
    func refused(_ message: String) -> RAWError { RAWError(.unsupported, .open, message) }
    guard size.width > 0, size.height > 0, samples.count == size.area * layout.channels else {
      throw refused(
        "\(samples.count) samples do not match \(size.width) × \(size.height) pixels with "
          + "\(layout.channels) each; give one for each, row by row")
    }
    guard black >= 0, white > black, white <= 65535 else {
      throw refused("black \(black) and white \(white) are not two of 0 to 65535 in this order")
    }
    if case .bayer(let filters) = layout {
      guard filters.sorted() == [0, 1, 1, 2] else {
        throw refused("filters \(filters) are not one red (0), two green (1) and one blue (2)")
      }
    }
    let bytes = samples.count * 2
    guard bytes < 4_000_000_000 else {
      throw RAWError(.tooLarge, .open, "\(bytes) bytes are more than a DNG in memory holds")
    }
    let writer = TIFFDirectoryWriter()
    let start = 8 + writer.byteCount(fields(at: 0))
    var file: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    file.reserveCapacity(start + bytes)
    file += writer.bytes(fields(at: start), at: 8)
    samples.withUnsafeBytes { values in
      #if _endian(big)
        for at in stride(from: 0, to: values.count, by: 2) { file += [values[at + 1], values[at]] }
      #else
        file += values
      #endif
    }
    return file
  }

  private func fields(at start: Int) -> [TIFFField] {
    func number(_ tag: UInt16, _ value: Int) -> TIFFField {
      TIFFField(tag, .longs([UInt32(value)]))
    }
    func numbers(_ tag: UInt16, _ values: [Double]) -> TIFFField {
      TIFFField(
        tag, type: 12, count: values.count,
        payload: values.flatMap { $0.bitPattern.bytes(bigEndian: false) })
    }
    let channels = layout.channels
    let photometric =
      if case .bayer = layout { TIFFTag.Photometric.colorFilterArray } else {
        TIFFTag.Photometric.linearRaw
      }
    var fields = [
      number(TIFFTag.newSubfileType, 0), number(TIFFTag.imageWidth, size.width),
      number(TIFFTag.imageLength, size.height),
      TIFFField(TIFFTag.bitsPerSample, .shorts(Array(repeating: 16, count: channels))),
      TIFFField(TIFFTag.compression, .shorts([UInt16(TIFFTag.Compression.none)])),
      TIFFField(TIFFTag.photometricInterpretation, .shorts([UInt16(photometric)])),
      number(TIFFTag.stripOffsets, start),
      TIFFField(TIFFTag.orientation, .shorts([UInt16(orientation.rawValue)])),
      TIFFField(TIFFTag.samplesPerPixel, .shorts([UInt16(channels)])),
      number(TIFFTag.rowsPerStrip, size.height),
      number(TIFFTag.stripByteCounts, samples.count * 2),
      TIFFField(TIFFTag.planarConfiguration, .shorts([1])),
      TIFFField(DNGTag.version, .bytes([1, 4, 0, 0])),
      TIFFField(TIFFTag.model, .ascii(cameraModel)),
      TIFFField(DNGTag.uniqueCameraModel, .ascii(cameraModel)),
      numbers(DNGTag.blackLevel, Array(repeating: black, count: channels)),
      numbers(DNGTag.whiteLevel, Array(repeating: white, count: channels)),
      numbers(DNGTag.baselineExposure, [baselineExposure]),
    ]
    if case .bayer(let filters) = layout {
      fields += [
        TIFFField(DNGTag.cfaRepeatPatternDim, .shorts([2, 2])),
        TIFFField(DNGTag.cfaPattern, .bytes(filters)),
      ]
    }
    if layout != .monochrome {
      let matrix = colorMatrix ?? Primaries.srgb.fromXYZ
      fields += [
        numbers(DNGTag.colorMatrix1, matrix.rows.flatMap { [$0.x, $0.y, $0.z] }),
        TIFFField(DNGTag.calibrationIlluminant1, .shorts([21])),
      ]
      if let neutral {
        let largest = neutral.max()
        fields.append(
          numbers(
            DNGTag.asShotNeutral, [neutral.x / largest, neutral.y / largest, neutral.z / largest]))
      }
    }
    if let noiseProfile { fields.append(numbers(DNGTag.noiseProfile, noiseProfile)) }
    return fields
  }
}

extension RAWFilter {
  /// A filter for sensor samples in memory.
  ///
  /// Throws `.unsupported` where the samples contradict their size, levels or filters.
  public init(samples: RAWSamples, limits: DecodeLimits = DecodeLimits()) throws(RAWError) {
    try self.init(bytes: samples.dng(), limits: limits)
  }
}
