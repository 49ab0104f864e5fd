public import ImageCore

/// Writes a raw picture as DNG 1.4 or 1.6 (Adobe, Digital Negative Specification), one directory
/// with the raw data, one with Exif and one with GPS. Made for files whose every number is known;
/// it writes no preview and no maker note.
public struct DNGWriter: Sendable {
  /// What a sample is.
  public enum Layout: Sendable, Hashable {
    /// One sample a pixel under a filter; the pattern begins at the first active pixel.
    case mosaic(MosaicPattern)
    /// Three samples a pixel: red, green, blue.
    case linear
    /// One sample a pixel, no filter.
    case monochrome
  }

  /// How samples are stored.
  public enum Compression: String, Sendable, CaseIterable {
    /// As they are; 10, 12 and 14 bits packed, most significant first.
    case none
    /// SOF3, predictor 1.
    case losslessJPEG = "lossless-jpeg"
  }

  /// A black level for each position of a repeating pattern.
  public struct BlackPattern: Sendable, Hashable {
    /// Columns after which it repeats, from the first active pixel.
    public var width: Int
    /// Rows after which it repeats.
    public var height: Int
    /// Row, column, sample order.
    public var levels: [Rational]
    /// The pattern of these levels.
    public init(width: Int, height: Int, levels: [Rational]) {
      self.width = width
      self.height = height
      self.levels = levels
    }
  }

  /// Why no file was written.
  public struct Problem: Error, Sendable, CustomStringConvertible {
    /// What does not fit and what to change.
    public let description: String
  }

  /// All columns and rows, border included.
  public var size: PixelSize
  /// What a sample is.
  public var layout: Layout
  /// Row by row, samples of a pixel side by side.
  public var samples: [UInt16]
  /// 8, 10, 12, 14 or 16; for lossless JPEG anything from 2 to 16.
  public var bitsPerSample = 16
  /// Byte order of the file.
  public var byteOrder = ByteOrder.little
  /// How samples are stored.
  public var compression = Compression.none
  /// Tile size; nil for a single strip.
  public var tile: PixelSize?
  /// DNGVersion, e.g. 1, 4, 0, 0.
  public var version: [UInt8] = [1, 4, 0, 0]
  /// Colour of the camera.
  public var camera = SimulatedCamera.neutral
  /// Camera value of a neutral, any scale.
  public var asShotNeutral = SIMD3<Double>(1, 1, 1)
  /// BaselineExposure in EV; nil leaves the field out.
  public var baselineExposure: SignedRational?
  /// Black; nil leaves the fields out (black 0).
  public var black: BlackPattern?
  /// Saturated level of each sample of a pixel (one value is used for all); empty leaves it out.
  public var white: [UInt32] = []
  /// The part that sees light; nil for all.
  public var activeArea: PixelRect?
  /// The part to show, from the corner of the active area; nil for all of it.
  public var defaultCrop: PixelRect?
  /// (S, O) for each channel: variance S·x + O of a value x in 0…1; empty leaves it out.
  public var noiseProfile: [SIMD2<Double>] = []
  /// How to turn the picture upright.
  public var orientation = Orientation.up
  /// Camera, exposure, time and place.
  public var metadata = CaptureMetadata()
  /// Further fields of the raw directory, which replace those made here.
  public var additionalFields: [UInt16: TIFFValue] = [:]

  /// A file of `size` with these samples: `size.area`, or three times as many when linear.
  public init(size: PixelSize, layout: Layout, samples: [UInt16]) {
    self.size = size
    self.layout = layout
    self.samples = samples
  }

  /// Samples of one pixel.
  var samplesPerPixel: Int { layout == .linear ? 3 : 1 }

  /// The file. Throws when the settings contradict one another.
  public var bytes: [UInt8] {
    get throws(Problem) {
      try validate()
      let chunks = imageChunks()
      var raw = directory()
      raw[tile == nil ? 279 : 325] = .longs(chunks.map { UInt32($0.count) })
      raw[tile == nil ? 273 : 324] = .longs(chunks.map { _ in 0 })
      var exif = subdirectory(.exif)
      if !exif.fields.isEmpty { exif[0x9000] = .undefined(Array("0231".utf8)) }
      var gps = subdirectory(.gps)
      if !gps.fields.isEmpty { gps[0] = .bytes([2, 3, 0, 0]) }
      if !exif.fields.isEmpty { raw[34665] = .longs([0]) }
      if !gps.fields.isEmpty { raw[34853] = .longs([0]) }

      let exifOffset = 8 + raw.byteCount
      let gpsOffset = exifOffset + (exif.fields.isEmpty ? 0 : exif.byteCount)
      var offset = gpsOffset + (gps.fields.isEmpty ? 0 : gps.byteCount)
      if !exif.fields.isEmpty { raw[34665] = .longs([UInt32(exifOffset)]) }
      if !gps.fields.isEmpty { raw[34853] = .longs([UInt32(gpsOffset)]) }
      var offsets: [UInt32] = []
      for chunk in chunks {
        guard let position = UInt32(exactly: offset) else {
          throw Problem(description: "the file would pass 4 GiB; write a smaller picture")
        }
        offsets.append(position)
        offset += (chunk.count + 1) & ~1
      }
      raw[tile == nil ? 273 : 324] = .longs(offsets)

      var out = ByteStream(order: byteOrder)
      out.bytes.reserveCapacity(offset)
      out.bytes += byteOrder == .little ? [0x49, 0x49] : [0x4D, 0x4D]
      out.append(UInt16(42))
      out.append(UInt32(8))
      out.bytes += raw.encoded(at: 8, order: byteOrder)
      if !exif.fields.isEmpty { out.bytes += exif.encoded(at: exifOffset, order: byteOrder) }
      if !gps.fields.isEmpty { out.bytes += gps.encoded(at: gpsOffset, order: byteOrder) }
      for chunk in chunks {
        out.bytes += chunk
        if chunk.count & 1 == 1 { out.bytes.append(0) }
      }
      return out.bytes
    }
  }

  private func subdirectory(_ which: ExifEntry.Directory) -> TIFFDirectory {
    var directory = TIFFDirectory()
    for entry in metadata.entries where entry.directory == which {
      directory[entry.tag] = TIFFValue(entry.value)
    }
    return directory
  }

  private func validate() throws(Problem) {
    func require(_ condition: Bool, _ message: String) throws(Problem) {
      if !condition { throw Problem(description: message) }
    }
    try require(
      size.width > 0 && size.height > 0 && size.width < 65_536 && size.height < 65_536,
      "sides must be 1…65535, not \(size)")
    try require(
      samples.count == size.area * samplesPerPixel,
      "\(size) needs \(size.area * samplesPerPixel) samples, not \(samples.count)")
    try require(
      compression == .none
        ? [8, 10, 12, 14, 16].contains(bitsPerSample) : (2...16).contains(bitsPerSample),
      "\(bitsPerSample) bits cannot be stored with compression \(compression.rawValue)")
    let limit = UInt32(1) << UInt32(bitsPerSample)
    try require(
      samples.allSatisfy { UInt32($0) < limit }, "a sample needs more than \(bitsPerSample) bits")
    if let tile {
      try require(tile.width > 0 && tile.height > 0, "a tile cannot be empty")
    }
    let whole = PixelRect(size)
    try require(whole.contains(activeArea ?? whole), "the active area leaves the picture")
    let active = PixelRect((activeArea ?? whole).size)
    try require(active.contains(defaultCrop ?? active), "the default crop leaves the active area")
    if let black {
      try require(
        black.levels.count == black.width * black.height * samplesPerPixel,
        "the black pattern needs \(black.width * black.height * samplesPerPixel) levels")
    }
  }
}
