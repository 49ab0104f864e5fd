public import ImageCore

/// Writes a raw picture as DNG 1.4 … 1.7 (Adobe, Digital Negative Specification). Made for files
/// in which every value is known.
///
/// Without a preview, IFD 0 holds the raw picture. With one, IFD 0 holds the preview and the
/// fields of the camera, and SubIFDs hold the raw picture and then the mattes.
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
    /// JPEG XL, lossless or lossy.
    case jpegXL = "jpeg-xl"
    /// Deflate; floats with or without the predictor for them.
    case deflate
    /// VC-5, as GoPro's GPR files hold a Bayer mosaic; not exact.
    case vc5 = "vc-5"

    /// The number in the Compression field.
    var code: UInt16 {
      switch self {
      case .none: 1
      case .losslessJPEG: 7
      case .jpegXL: 52546
      case .deflate: 8
      case .vc5: 9
      }
    }

    /// The oldest version of DNG that has it.
    var oldestReader: [UInt8] {
      switch self {
      case .none, .losslessJPEG, .vc5: [1, 1, 0, 0]
      case .jpegXL: [1, 7, 0, 0]
      case .deflate: [1, 4, 0, 0]
      }
    }
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
  /// Samples that are stored as floats of 16, 24 or 32 bits instead; empty for integers.
  public var floats: [Float] = []
  /// Whether floats are stored as differences of bytes, planes of bytes one after the other.
  public var usesFloatPredictor = false
  /// 8, 10, 12, 14 or 16; for lossless JPEG anything from 2 to 16.
  public var bitsPerSample = 16
  /// Byte order of the file.
  public var byteOrder = ByteOrder.little
  /// How samples are stored.
  public var compression = Compression.none
  /// Butteraugli distance of JPEG XL; 0 is lossless.
  public var jpegXLDistance: Float = 0
  /// How hard JPEG XL tries, 1 (fast) … 9.
  public var jpegXLEffort = 3
  /// How VC-5 codes.
  public var vc5 = VC5Encoder.Settings()
  /// Whether the four positions of a Bayer pattern are stored as quarter pictures, row and column
  /// interleave factor 2, as suits JPEG XL.
  public var isInterleaved = false
  /// Whether offsets are 64 bits wide.
  public var isBigTIFF = false
  /// Offset of IFD 0; even, 8 or more, in a BigTIFF 16 or more.
  public var firstDirectoryOffset: Int?
  /// Tile size; nil for a single strip.
  public var tile: PixelSize?
  /// DNGVersion, e.g. 1, 4, 0, 0.
  public var version: [UInt8] = [1, 4, 0, 0]
  /// DNGBackwardVersion; nil for the oldest that has the compression.
  public var backwardVersion: [UInt8]?
  /// Color of the camera.
  public var camera = SimulatedCamera.neutral
  /// Camera value of a neutral, any scale.
  public var asShotNeutral = SIMD3<Double>(1, 1, 1)
  /// BaselineExposure in EV; nil leaves the field out.
  public var baselineExposure: SignedRational?
  /// Black; nil leaves the fields out (black 0).
  public var black: BlackPattern?
  /// Saturated level of each sample of a pixel (one value is used for all); empty leaves it out.
  public var white: [UInt32] = []
  /// The exposed part of the sensor; nil for all.
  public var activeArea: PixelRect?
  /// The part to show, from the corner of the active area; nil for all of it.
  public var defaultCrop: PixelRect?
  /// Whether the default crop is written even when it equals the active area.
  public var writesDefaultCrop = true
  /// (S, O) for each channel: variance S·x + O of a value x in 0…1; empty leaves it out.
  public var noiseProfile: [SIMD2<Double>] = []
  /// The Exif orientation of the stored picture.
  public var orientation = Orientation.up
  /// Camera, exposure, time and location.
  public var metadata = CaptureMetadata()
  /// The lists 1, 2 and 3 of opcodes.
  public var opcodeLists: [[DNGOpcode]] = []
  /// Profiles beside the primary one, whose fields are ``cameraTags``.
  public var extraProfiles: [DNGProfile] = []
  /// The picture in IFD 0; nil puts the raw picture there.
  public var preview: DNGPreview?
  /// Pictures in further SubIFDs; they need a preview.
  public var mattes: [DNGMatte] = []
  /// The samples of further raw pictures like the first, in SubIFDs behind it; they need a preview.
  public var furtherFrames: [[UInt16]] = []
  /// Further fields of the raw directory, which replace those made here.
  public var additionalFields: [UInt16: TIFFValue] = [:]
  /// Further fields of IFD 0, which replace those made here.
  public var cameraTags: [UInt16: TIFFValue] = [:]

  /// A file of `size` with these samples: `size.area`, or three times as many when linear.
  public init(size: PixelSize, layout: Layout, samples: [UInt16]) {
    self.size = size
    self.layout = layout
    self.samples = samples
  }

  /// Samples of one pixel.
  var samplesPerPixel: Int { layout == .linear ? 3 : 1 }
  /// Whether samples are floats.
  var isFloat: Bool { !floats.isEmpty }

  /// The file. Throws when the settings contradict one another.
  public var bytes: [UInt8] {
    get throws(Problem) {
      try validate()
      var raw = TIFFNode()
      raw.directory = rawDirectory()
      raw.chunks = try imageChunks()
      raw.isTiled = tile != nil
      var root = raw
      if let preview {
        root = preview.node
        let frames = try furtherFrames.map { samples throws(Problem) in
          var other = self
          (other.samples, other.furtherFrames) = (samples, [])
          try other.validate()
          var node = raw
          node.chunks = try other.imageChunks()
          return node
        }
        root.children = [(330, [raw] + frames + mattes.map(\.node))]
      }
      root.directory.merge(cameraFields().fields.filter { root.directory[$0.key] == nil })
      var exif = subdirectory(.exif)
      if !exif.fields.isEmpty { exif[0x9000] = .undefined(Array("0231".utf8)) }
      var gps = subdirectory(.gps)
      if !gps.fields.isEmpty { gps[0] = .bytes([2, 3, 0, 0]) }
      for (tag, directory) in [(UInt16(34665), exif), (34853, gps)] where !directory.fields.isEmpty
      {
        root.children.append((tag, [TIFFNode(directory: directory)]))
      }
      if !extraProfiles.isEmpty {
        root.blocks = [(50933, extraProfiles.map { $0.bytes(order: byteOrder) })]
      }
      return try root.file(
        order: byteOrder, isBig: isBigTIFF, start: firstDirectoryOffset ?? (isBigTIFF ? 16 : 8))
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
    // Headers of JPEG have 16 bits for a side.
    let most = compression == .none ? 1 << 20 : 65_535
    let sides = 1...most
    try require(
      sides.contains(size.width) && sides.contains(size.height),
      "sides must be 1…\(most), not \(size)")
    try require(
      (isFloat ? floats.count : samples.count) == size.area * samplesPerPixel,
      "\(size) needs \(size.area * samplesPerPixel) samples, not \(samples.count)")
    let depths: [Int] =
      switch (isFloat, compression) {
      case (true, .none), (true, .deflate): [16, 24, 32]
      case (true, _): []
      case (false, .none), (false, .deflate): [8, 10, 12, 14, 16]
      case (false, .losslessJPEG): Array(2...16)
      case (false, .jpegXL): Array(8...16)
      case (false, .vc5): [12, 14, 16]
      }
    try require(
      depths.contains(bitsPerSample),
      "\(bitsPerSample) bits cannot be stored with compression \(compression.rawValue)")
    if !isFloat {
      let limit = UInt32(1) << UInt32(bitsPerSample)
      try require(
        samples.allSatisfy { UInt32($0) < limit },
        "a sample needs more than \(bitsPerSample) bits")
    }
    try require(!usesFloatPredictor || isFloat, "only floats have the predictor for floats")
    try require(
      !isInterleaved || (samplesPerPixel == 1 && !isFloat), "only mosaics can be interleaved")
    try require(
      mattes.isEmpty && furtherFrames.isEmpty || preview != nil,
      "mattes and further frames need a preview in IFD 0")
    let start = firstDirectoryOffset ?? 16
    try require(
      start >= (isBigTIFF ? 16 : 8) && start % 2 == 0 && start < 1 << 16,
      "IFD 0 cannot start at \(start)")
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
