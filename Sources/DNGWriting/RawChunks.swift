import CKernels
import Codecs
import Containers
import Formats
import ImageCore
import RawDecode

/// The division of the raw picture into tiles or strips, and their encoded bytes.
struct RawChunks: Sendable {
  /// Storage type of a sample.
  enum Sample: Sendable { case uint16, half, float }

  let data: SensorData
  let sample: Sample
  let compression: DNGSettings.Compression
  /// Columns and rows of a tile or strip.
  let tile: PixelSize
  /// Number of components of a lossless JPEG.
  let components: Int
  /// Whether samples are stored big-endian.
  let bigEndian: Bool

  /// Whether even and odd rows and columns are stored separately, as four single-color pictures:
  /// for Bayer mosaics in JPEG XL, which predicts from neighbors (DNG 1.7.1, RowInterleaveFactor
  /// and ColumnInterleaveFactor of 2).
  let isInterleaved: Bool
  /// Number of bits by which integers are shifted left, so that lossy JPEG XL uses its full range.
  let shift: Int
  /// Distance of JPEG XL.
  let distance: Float
  let effort: Int

  private static let side = 512
  /// Tile side for JPEG XL, which has groups that readers decode in parallel.
  private static let largeSide = 1024
  private static let stripRows = 64
  /// Maximum columns or rows of a lossless JPEG: its header has 16 bits for them.
  private static let longestJPEGSide = 65535

  var isLossy: Bool { compression == .jpegXL && distance > 0 }
  /// False for pictures whose width is not divisible into tiles: LibRaw 0.22 misreads lossless JPEG
  /// in tiles wider than the picture. Also false for pictures lower than one row of tiles: LibRaw
  /// expects as many rows of bytes in a deflated tile as the picture has. Pictures too wide for one
  /// lossless JPEG are always tiled. Lossless JPEG uses a single strip if possible, since LibRaw
  /// and dcraw read no other, and no two tiles of it span the width of the picture, since LibRaw
  /// takes tiles of two components for a tile of twice the width.
  let isTiled: Bool
  var planes: Int { data.samplesPerPixel }
  private var across: Int { (data.size.width + tile.width - 1) / tile.width }
  var count: Int { across * ((data.size.height + tile.height - 1) / tile.height) }

  /// Chunks of `data`, whose floats are stored as half floats if `isHalf`.
  init(
    _ data: SensorData, isHalf: Bool, shift: Int = 0, settings: DNGSettings, bigEndian: Bool
  ) {
    self.data = data
    self.shift = shift
    (distance, effort) = (settings.distance, settings.effort)
    self.bigEndian = bigEndian
    sample = data.samples.format == .uint16 ? .uint16 : isHalf ? .half : .float
    let isDeflated =
      sample != .uint16
      && (settings.compression == .losslessJPEG || settings.compression == .jpegXL)
    compression = isDeflated ? .deflate : settings.compression
    if case .mosaic(let cfa) = data.layout {
      isInterleaved = compression == .jpegXL && cfa.width == 2 && cfa.height == 2
    } else {
      isInterleaved = false
    }
    let longest = compression == .jpegXL ? Self.largeSide : Self.side
    // Tiles of similar size, to minimize samples outside the picture.
    func side(_ length: Int, parts: Int? = nil) -> Int {
      let parts = parts ?? (length + longest - 1) / longest
      return ((length + parts - 1) / parts + 15) / 16 * 16
    }
    let isJPEG = compression == .losslessJPEG
    let isTooWide = isJPEG && data.size.width > Self.longestJPEGSide
    isTiled =
      compression != .none && data.size.width > longest
      && (isTooWide || side(data.size.height) <= data.size.height)
    let rows =
      compression == .none
      ? Self.stripRows : isJPEG ? Self.longestJPEGSide : side(data.size.height)
    let width = side(data.size.width)
    let isHalved = isJPEG && 2 * width == data.size.width
    tile =
      !isTiled
      ? PixelSize(width: data.size.width, height: min(rows, data.size.height))
      : PixelSize(
        width: isHalved ? side(data.size.width, parts: 3) : width, height: side(data.size.height))
    components = isJPEG ? Self.components(data, isEven: tile.width % 2 == 0) : 1
  }

  /// The number of samples per pixel; for a mosaic 1, or, if its tiles or strips have an even
  /// number of columns, 2, whichever compresses a part of the picture better.
  private static func components(_ data: SensorData, isEven: Bool) -> Int {
    guard case .mosaic = data.layout else { return data.samplesPerPixel }
    let count = data.size.width
    guard count >= 4, isEven else { return 1 }
    let costs = [1, 2].map { components in
      let encoder = LosslessJPEGEncoder(
        count: count / 2 * 2, rows: 1, components: components)
      return stride(from: 0, to: data.size.height, by: max(data.size.height / 64, 1)).reduce(0.0) {
        unsafe $0 + encoder.estimate(data.samples.counts(row: $1))
      }
    }
    return costs[0] < costs[1] ? 1 : 2
  }

  /// Value of the Predictor tag.
  var predictor: Int {
    guard compression == .deflate else { return TIFFTag.Predictor.none }
    // Floats of a mosaic are differenced to the neighbor of the same color.
    return isMosaic ? TIFFTag.Predictor.floatingPointX2 : TIFFTag.Predictor.floatingPoint
  }

  private var isMosaic: Bool { if case .mosaic = data.layout { true } else { false } }

  var bitsPerSample: Int { sample == .float ? 32 : 16 }

  /// Encodes chunk `index`.
  func bytes(_ index: Int) throws(CodecError) -> [UInt8] {
    let rect = PixelRect(
      x: index % across * tile.width, y: index / across * tile.height, width: tile.width,
      height: tile.height)
    switch sample {
    case .uint16:
      let codes = unsafe codes(of: rect, UInt16.self) { y in
        unsafe data.samples.counts(row: y)
      }
      if compression == .losslessJPEG {
        let encoder = LosslessJPEGEncoder(
          count: tile.width * planes, rows: codes.count / (tile.width * planes),
          components: components)
        return unsafe codes.withUnsafeBufferPointer { codes in
          guard let start = codes.baseAddress else { return [] }
          return unsafe encoder.encode(start)
        }
      }
      return compression == .jpegXL ? try jpegXL(codes) : stored(codes)
    case .half:
      let codes = unsafe codes(of: rect, Float.self) { y in unsafe data.samples.floats(row: y) }
      return try coded(codes.map { Float16($0).bitPattern })
    case .float:
      let codes = unsafe codes(of: rect, UInt32.self) { y in
        unsafe UnsafeRawPointer(data.samples.floats(row: y)).assumingMemoryBound(to: UInt32.self)
      }
      return try coded(codes)
    }
  }

  private func jpegXL(_ codes: [UInt16]) throws(CodecError) -> [UInt8] {
    do {
      return try unsafe codes.withUnsafeBytes {
        try unsafe JPEGXLEncoder.codestream(
          $0,
          JPEGXLEncoder.Samples(
            size: PixelSize(width: tile.width, height: codes.count / (tile.width * planes)),
            channels: planes, kind: .uint16),
          distance: distance, effort: effort, workers: 1)
      }
    } catch { throw error as? CodecError ?? CodecError("\(error)") }
  }

  /// The row or column, of `count`, stored at `position`.
  private func stored(at position: Int, of count: Int) -> Int {
    let position = min(position, count - 1)
    guard isInterleaved else { return position }
    let first = (count + 1) / 2
    return position < first ? 2 * position : 2 * (position - first) + 1
  }

  /// The samples of `rect`, padded with the nearest samples of the same color outside the picture;
  /// strips are not padded.
  private func codes<Code: BitwiseCopyable>(
    of rect: PixelRect, _ type: Code.Type, row: (Int) -> UnsafePointer<Code>
  ) -> [Code] {
    let width = rect.width * planes
    let inside = (min(rect.endX, data.size.width) - rect.x) * planes
    let rows = isTiled ? rect.height : min(rect.height, data.size.height - rect.y)
    let period = isMosaic ? 2 : planes
    let columns =
      isInterleaved ? (0..<width).map { stored(at: rect.x + $0, of: data.size.width) } : []
    return unsafe [Code](unsafeUninitializedCapacity: width * rows) { target, made in
      guard let start = target.baseAddress else { return }
      for y in 0..<rows where isInterleaved {
        let source = unsafe row(stored(at: rect.y + y, of: data.size.height))
        for x in 0..<width {
          unsafe (start + y * width + x).initialize(to: source[columns[x]])
        }
      }
      for y in 0..<rows where !isInterleaved {
        // Repeats two rows up for a mosaic, to preserve the colors.
        var from = rect.y + y
        if from >= data.size.height {
          from = data.size.height - 1 - (isMosaic ? (from - data.size.height + 1) & 1 : 0)
        }
        let line = unsafe start + y * width
        unsafe line.initialize(from: row(max(from, 0)) + rect.x * planes, count: inside)
        for x in inside..<max(width, inside) {
          unsafe (line + x).initialize(to: line[x >= period ? x - period : 0])
        }
      }
      made = width * rows
    }
  }

  /// `codes` in the byte order of the file.
  private func stored<Code: FixedWidthInteger>(_ codes: [Code]) -> [UInt8] {
    let ordered = bigEndian ? codes.map(\.bigEndian) : codes.map(\.littleEndian)
    return unsafe ordered.withUnsafeBytes { unsafe Array($0) }
  }

  /// `codes` of floats, deflated if required.
  private func coded<Code: FixedWidthInteger>(_ codes: [Code]) throws(CodecError) -> [UInt8] {
    guard compression == .deflate else { return stored(codes) }
    let width = tile.width * planes
    let bytes = MemoryLayout<Code>.size
    let distance = planes * (isMosaic ? 2 : 1)
    // TIFF Technical Note 3: the most significant bytes of a row first, then byte differences.
    var rows = [UInt8](repeating: 0, count: codes.count * bytes)
    for first in stride(from: 0, to: codes.count, by: width) {
      let line = first * bytes
      for byte in 0..<bytes {
        let shift = Code(8 * (bytes - 1 - byte))
        let plane = line + byte * width
        for x in 0..<width {
          rows[plane + x] = UInt8(truncatingIfNeeded: codes[first + x] >> shift)
        }
      }
      for x in stride(from: width * bytes - 1, through: distance, by: -1) {
        rows[line + x] &-= rows[line + x - distance]
      }
    }
    let compressor = try DeflateCompressor(level: 6)
    var failure: CodecError?
    let made = unsafe [UInt8](unsafeUninitializedCapacity: compressor.bound(rows.count)) {
      target, count in
      unsafe rows.withUnsafeBytes { bytes in
        do throws(CodecError) {
          count = try unsafe compressor.compress(
            bytes, into: UnsafeMutableRawBufferPointer(target))
        } catch { failure = error }
      }
    }
    if let failure { throw failure }
    return made
  }
}
