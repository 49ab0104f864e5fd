import Containers
import ImageCore
import TIFFCodec

/// Strips and tiles, contiguous and planar, of a TIFF page into a ``DecodedSamples``.
struct TIFFPixels {
  let source: TIFFDecoder
  let page: TIFFPicture
  let file: FileBytes

  func read() throws(ReadError) -> DecodedSamples {
    source.setDecoding(jpegAsRGB: page.isJPEG, logarithmsAsFloats: page.isLogarithmic)
    try file.limits.allow(
      page.size, channels: page.channels, page.format, file: file, ratio: page.ratio)
    var palette: [SIMD3<UInt16>] = []
    if case .palette(let bits) = page.samples {
      guard let found = source.palette(bits: bits) else {
        throw ReadError(source.failure("its palette is not there"))
      }
      palette = found
    }
    let reader = TIFFSampleReader(page: page, palette: palette)
    if page.samples == .converted { return try readConverted() }
    return source.isTiled ? try readTiles(reader) : try readStrips(reader)
  }

  private var planes: [Int?] { page.isPlanar ? (0..<page.channels).map { $0 } : [nil] }

  /// Memory for one strip or tile of `bytes`.
  private func block(_ bytes: Int) throws(ReadError) -> UnsafeMutableRawPointer {
    guard bytes > 0, bytes <= file.limits.maxDecodeBytes else {
      throw ReadError(
        .tooLarge, "a strip or tile takes \(bytes) bytes; raise the limit", path: file.path)
    }
    guard bytes / 8 / page.ratio <= file.count else {
      throw ReadError(
        .damaged, "the file is too short for its strips or tiles; copy it again", path: file.path)
    }
    return UnsafeMutableRawPointer.allocate(byteCount: bytes + 16, alignment: 16)
  }

  /// Minimum bytes of a row of `columns` pixels.
  private func rowNeeds(_ columns: Int) -> Int {
    let bits =
      switch page.samples {
      case .integers(let bits), .palette(let bits): bits
      case .halves: 16
      case .floats: 32
      case .doubles: 64
      case .converted: 8
      }
    return (columns * (page.isPlanar ? 1 : page.storedSamplesRead) * bits + 7) / 8
  }

  private func readStrips(_ reader: TIFFSampleReader) throws(ReadError) -> DecodedSamples {
    let rows = min(source.long(TIFFTag.rowsPerStrip), page.size.height)
    let rowBytes = source.rowBytes
    guard rows > 0, rowBytes >= rowNeeds(page.size.width) else {
      throw ReadError(source.failure("its strips contradict its size"))
    }
    let buffer = try unsafe block(source.stripBytes(rows: rows))
    defer { unsafe buffer.deallocate() }
    return try DecodedSamples(size: page.size, channels: page.channels, format: page.format) {
      picture throws(ReadError) in
      for plane in planes {
        for y in stride(from: 0, to: page.size.height, by: rows) {
          let height = min(rows, page.size.height - y)
          let bytes = source.stripBytes(rows: height)
          guard bytes >= height * rowBytes else {
            throw ReadError(source.failure("its strips contradict its size"))
          }
          try ReadError.translating { () throws(FormatError) in
            try file.checkTime()
            try unsafe source.readStrip(y: y, plane: plane ?? 0, bytes: bytes, into: buffer)
          }
          for line in 0..<height {
            unsafe reader.put(
              buffer + line * rowBytes, count: page.size.width, x: 0, y: y + line, plane: plane,
              into: picture)
          }
        }
      }
    }
  }

  private func readTiles(_ reader: TIFFSampleReader) throws(ReadError) -> DecodedSamples {
    let tile = PixelSize(
      width: source.long(TIFFTag.tileWidth), height: source.long(TIFFTag.tileLength))
    let (rowBytes, bytes) = (source.tileRowBytes, source.tileBytes)
    guard tile.width > 0, tile.height > 0, tile.width < 1 << 24, tile.height < 1 << 24,
      rowBytes >= rowNeeds(tile.width), bytes / tile.height >= rowBytes
    else { throw ReadError(source.failure("its tiles contradict themselves")) }
    let buffer = try unsafe block(bytes)
    defer { unsafe buffer.deallocate() }
    return try DecodedSamples(size: page.size, channels: page.channels, format: page.format) {
      picture throws(ReadError) in
      for plane in planes {
        for y in stride(from: 0, to: page.size.height, by: tile.height) {
          for x in stride(from: 0, to: page.size.width, by: tile.width) {
            try ReadError.translating { () throws(FormatError) in
              try file.checkTime()
              try unsafe source.readTile(x: x, y: y, plane: plane ?? 0, bytes: bytes, into: buffer)
            }
            for line in 0..<min(tile.height, page.size.height - y) {
              unsafe reader.put(
                buffer + line * rowBytes, count: min(tile.width, page.size.width - x), x: x,
                y: y + line, plane: plane, into: picture)
            }
          }
        }
      }
    }
  }

  /// By libtiff's own conversion to RGB: YCbCr outside JPEG.
  private func readConverted() throws(ReadError) -> DecodedSamples {
    let count = page.size.area
    guard count <= file.limits.maxDecodeBytes / 8, source.convertsToRGB else {
      throw ReadError(
        .unsupported, "its YCbCr colors are not read; convert it to RGB", path: file.path)
    }
    let pixels = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
    defer { unsafe pixels.deallocate() }
    try ReadError.translating { () throws(FormatError) in
      try file.checkTime()
      try unsafe source.readRGBA(page.size, into: pixels)
    }
    return try DecodedSamples(size: page.size, channels: 3, format: .codes(bits: 8)) {
      picture throws(ReadError) in
      for y in 0..<page.size.height {
        let row = unsafe picture.row(y).assumingMemoryBound(to: UInt8.self)
        for x in 0..<page.size.width {
          // Red is in the lowest byte.
          let pixel = unsafe pixels[y * page.size.width + x]
          for c in 0..<3 {
            unsafe row[3 * x + c] = UInt8(truncatingIfNeeded: pixel >> UInt32(8 * c))
          }
        }
      }
    }
  }
}
