import Containers
import ImageCore
import TIFFCodec

/// Strips and tiles, contiguous and planar, of a TIFF page into a ``DecodedSamples``.
struct TIFFPixels {
  let source: TIFFDecoder
  let page: TIFFPicture
  let directory: TIFFDirectory
  let file: FileBytes
  let policy: ReadPolicy

  func read() throws(ReadError) -> DecodedSamples {
    source.setDecoding(jpegAsRGB: page.isJPEG, logarithmsAsFloats: page.isLogarithmic)
    let bytes = DecodedSamples.bytes(page.size, channels: page.readChannels, page.format)
    try file.limits.allow(
      page.size, channels: page.readChannels, page.format, file: file, ratio: page.ratio,
      beside: page.hasAlpha ? bytes : 0)
    try checkTiles()
    try checkSharing()
    var palette: [SIMD3<UInt16>] = []
    if case .palette(let bits) = page.samples {
      guard let found = source.palette(bits: bits) else {
        throw ReadError(source.failure("its color map is missing"))
      }
      palette = found
    }
    let reader = TIFFSampleReader(page: page, palette: palette)
    if page.samples == .converted { return try readConverted() }
    let picture = source.isTiled ? try readTiles(reader) : try readStrips(reader)
    return page.hasAlpha
      ? try picture.withAlphaApart(isPremultiplied: page.isPremultiplied) : picture
  }

  /// Throws when a tile has too many pixels, even if little of the picture is in it.
  private func checkTiles() throws(ReadError) {
    guard source.isTiled else { return }
    let tile = PixelSize(
      width: source.long(TIFFTag.tileWidth), height: source.long(TIFFTag.tileLength))
    let (area, overflow) = tile.width.multipliedReportingOverflow(by: tile.height)
    guard !overflow, area <= file.limits.maxPixels else {
      throw ReadError(file.limits.tooManyPixels(tile), path: file.path)
    }
  }

  /// Throws when strips or tiles overlap in the file repeatedly. Each is read to its end, however
  /// few pixels it gives: thousands that span the complete file could take hours. Identical ones,
  /// such as empty tiles of maps, may be stored once: they are hardly longer than their pixels, so
  /// that they take no longer than others of a picture of this size.
  private func checkSharing() throws(ReadError) {
    // libtiff finds uncompressed samples where they are, unless it turns their bits around.
    guard
      page.compression != TIFFTag.Compression.none || source.short(TIFFTag.fillOrder) == 2
    else { return }
    let pixels =
      rowNeeds(page.size.width) * page.size.height * (page.isPlanar ? page.storedSamples : 1)
    guard !source.storesMore(than: FormatLimits.reuse * max(file.count, pixels)) else {
      throw ReadError(
        .damaged, "its strips or tiles overlap; copy it again",
        path: file.path)
    }
  }

  private var planes: [Int?] {
    guard page.isPlanar else { return [nil] }
    // A palette has its three channels of one plane.
    if case .palette = page.samples { return [0] }
    return (0..<page.readChannels).map { $0 }
  }

  /// Memory for one strip or tile of `bytes`, which is held beside the picture.
  private func block(_ bytes: Int) throws(ReadError) -> UnsafeMutableRawPointer {
    let limit = file.limits.maxDecodeBytes
    let picture = DecodedSamples.bytes(page.size, channels: page.readChannels, page.format)
    guard bytes > 0, bytes <= limit - picture else {
      throw ReadError(
        .tooLarge,
        "a strip or tile of \(bytes) bytes beside the picture takes more than the limit of "
          + "\(limit) bytes; raise the limit", path: file.path,
        remedies: [.allowMemory])
    }
    guard bytes / 8 / page.ratio <= file.count else {
      throw ReadError(
        .damaged, "the file is too short for its strips or tiles; copy it again", path: file.path)
    }
    return UnsafeMutableRawPointer.allocate(byteCount: bytes + 16, alignment: 16)
  }

  /// Throws where `count` strips or tiles of each plane are more than the limit of items.
  private func allow(parts count: Int) throws(ReadError) {
    let (all, overflow) = count.multipliedReportingOverflow(by: planes.count)
    guard !overflow, all <= file.limits.maxItems else {
      throw ReadError(file.limits.tooMany("strips or tiles"), path: file.path)
    }
  }

  /// Minimum bytes of a row of `columns` pixels.
  private func rowNeeds(_ columns: Int) -> Int {
    let bits =
      switch page.samples {
      case .integers(let bits), .palette(let bits): bits
      case .halves: 16
      case .floats24: 24
      case .floats: 32
      case .doubles: 64
      case .converted: 8
      }
    return (columns * (page.isPlanar ? 1 : page.storedSamplesRead) * bits + 7) / 8
  }

  /// Has strip or tile `number` decoded by `decode`.
  private func decodePart(
    _ number: Int, _ decode: () throws(FormatError) -> Void
  ) throws(ReadError) {
    do throws(FormatError) {
      try file.checkReading()
      try decode()
    } catch {
      guard page.compression == TIFFTag.Compression.jpeg else { throw ReadError(error) }
      try TIFFJPEGParts(directory: directory, file: file).check(number, after: error)
    }
  }

  /// Strips or tiles of all planes, and those that are left out because they are damaged.
  private struct Parts {
    var (count, damaged) = (0, 0)
    /// Why the last of these is.
    var error: ReadError?
  }

  /// The same; whether there are samples. One that is damaged is left out where the policy reads
  /// such pictures.
  private func hasPart(
    _ number: Int, _ parts: inout Parts, _ decode: () throws(FormatError) -> Void
  ) throws(ReadError) -> Bool {
    parts.count += 1
    do throws(ReadError) {
      try decodePart(number, decode)
      return true
    } catch {
      guard error.code == .damaged, policy.reads(.tiffPart) else { throw error }
      parts.damaged += 1
      parts.error = error
      return false
    }
  }

  /// Notes the missing parts; throws where all are missing.
  private func note(_ parts: Parts, in picture: DecodedSamples) throws(ReadError) {
    guard let error = parts.error else { return }
    guard parts.damaged < parts.count else { throw error }
    let name = source.isTiled ? "tiles" : "strips"
    picture.add(note: StillInfo.partsNote(parts.damaged, of: parts.count, name))
  }

  private func readStrips(_ reader: TIFFSampleReader) throws(ReadError) -> DecodedSamples {
    let rows = min(source.long(TIFFTag.rowsPerStrip), page.size.height)
    let rowBytes = source.rowBytes
    guard rows > 0, rowBytes >= rowNeeds(page.size.width) else {
      throw ReadError(source.failure("its strips do not match its size"))
    }
    try allow(parts: (page.size.height - 1) / rows + 1)
    let buffer = try unsafe block(source.stripBytes(rows: rows))
    defer { unsafe buffer.deallocate() }
    return try DecodedSamples(size: page.size, channels: page.readChannels, format: page.format) {
      picture throws(ReadError) in
      if policy.reads(.tiffPart) { picture.clear() }
      var parts = Parts()
      for plane in planes {
        for y in stride(from: 0, to: page.size.height, by: rows) {
          let height = min(rows, page.size.height - y)
          let bytes = source.stripBytes(rows: height)
          guard bytes >= height * rowBytes else {
            throw ReadError(source.failure("its strips do not match its size"))
          }
          let strip = (plane ?? 0) * ((page.size.height - 1) / rows + 1) + y / rows
          let isThere = try hasPart(strip, &parts) { () throws(FormatError) in
            try unsafe source.readStrip(y: y, plane: plane ?? 0, bytes: bytes, into: buffer)
          }
          guard isThere else { continue }
          for line in 0..<height {
            unsafe reader.put(
              buffer + line * rowBytes, count: page.size.width, x: 0, y: y + line, plane: plane,
              into: picture)
          }
        }
      }
      try note(parts, in: picture)
    }
  }

  private func readTiles(_ reader: TIFFSampleReader) throws(ReadError) -> DecodedSamples {
    let tile = PixelSize(
      width: source.long(TIFFTag.tileWidth), height: source.long(TIFFTag.tileLength))
    let (rowBytes, bytes) = (source.tileRowBytes, source.tileBytes)
    guard tile.width > 0, tile.height > 0, tile.width < 1 << 24, tile.height < 1 << 24,
      rowBytes >= rowNeeds(tile.width), bytes / tile.height >= rowBytes
    else { throw ReadError(source.failure("its tile size is invalid")) }
    let (across, down) = (
      (page.size.width - 1) / tile.width + 1, (page.size.height - 1) / tile.height + 1
    )
    try allow(parts: across * down)
    let buffer = try unsafe block(bytes)
    defer { unsafe buffer.deallocate() }
    guard across * tile.width <= DecodeLimits.maxTiledPixels(page.size) / (down * tile.height)
    else {
      throw ReadError(source.failure("its tiles are much larger than its picture"))
    }
    return try DecodedSamples(size: page.size, channels: page.readChannels, format: page.format) {
      picture throws(ReadError) in
      if policy.reads(.tiffPart) { picture.clear() }
      var parts = Parts()
      for plane in planes {
        for y in stride(from: 0, to: page.size.height, by: tile.height) {
          for x in stride(from: 0, to: page.size.width, by: tile.width) {
            let number = ((plane ?? 0) * down + y / tile.height) * across + x / tile.width
            let isThere = try hasPart(number, &parts) { () throws(FormatError) in
              try unsafe source.readTile(x: x, y: y, plane: plane ?? 0, bytes: bytes, into: buffer)
            }
            guard isThere else { continue }
            for line in 0..<min(tile.height, page.size.height - y) {
              unsafe reader.put(
                buffer + line * rowBytes, count: min(tile.width, page.size.width - x), x: x,
                y: y + line, plane: plane, into: picture)
            }
          }
        }
      }
      try note(parts, in: picture)
    }
  }

  /// By libtiff's own conversion to RGB: YCbCr outside JPEG.
  private func readConverted() throws(ReadError) -> DecodedSamples {
    let count = page.size.area
    guard count <= file.limits.maxDecodeBytes / 8, source.convertsToRGB else {
      throw ReadError(
        .unsupported, "its YCbCr colors are not read; convert it to RGB", path: file.path)
    }
    if source.hasStreams {
      let buffer = try unsafe block(source.partBytes)
      defer { unsafe buffer.deallocate() }
      try ReadError.translating { () throws(FormatError) in
        try unsafe source.checkStreams(buffer)
      }
    }
    let pixels = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
    defer { unsafe pixels.deallocate() }
    try ReadError.translating { () throws(FormatError) in
      try file.checkReading()
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
