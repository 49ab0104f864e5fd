import CEXR
package import Codecs

/// The owner of one context of OpenEXR's C core that writes a file of R, G and B, and A where it is
/// asked for, scan lines or square tiles of one level, to an open descriptor. Chunks are compressed
/// by an ``EXRCompressor`` for each thread and written in order by one. Nothing is printed:
/// messages go to the context's channel, which keeps the first.
@safe package final class EXREncoder: @unchecked Sendable {
  /// How chunks are compressed.
  package enum Compression: Sendable {
    /// Not at all.
    case none
    /// zlib, each line by itself.
    case zips
    /// zlib, 16 lines together.
    case zip
    /// Wavelets and Huffman codes, 32 lines together.
    case piz
    /// Lossy, of this level, 32 lines together.
    case dwaa(Float)
    /// Lossy, of this level, 256 lines together.
    case dwab(Float)
  }

  /// A named value of the header.
  package enum Attribute: Sendable, Hashable {
    case number(Float)
    case integer(Int32)
    case text(String)
    case point(Float, Float)
    /// x and y of red, green, blue and white.
    case chromaticities([Float])
  }

  fileprivate let compression: Compression
  fileprivate let isHalf: Bool
  /// Three, or four with alpha.
  package let channels: Int
  private let width: Int
  private let height: Int
  private let channel: UnsafeMutablePointer<cexr_channel>
  fileprivate private(set) var context: OpaquePointer?
  /// Side of a tile; nil for scan lines.
  package let tileSize: Int?
  /// Lines of a part, the unit of a compressor: a row of tiles or a chunk, or for DWAB a strip of
  /// one. The last one may have fewer.
  package let linesPerPart: Int
  private let strips: DWAStrips?
  /// Whether parts are strips, from which chunks are made when they are written.
  fileprivate var isOfStrips: Bool { strips != nil }
  private let linesPerChunk: Int
  private var partsWritten = 0

  /// Starts a file in `descriptor`, which stays open, and writes its header; `path` is for
  /// messages.
  package init(
    descriptor: Int32, path: String, width: Int, height: Int, tileSize: Int?,
    compression: Compression, isHalf: Bool, hasAlpha: Bool = false,
    attributes: [(name: String, value: Attribute)]
  ) throws(CodecError) {
    if case .dwab = compression, tileSize == nil {
      strips = try DWAStrips(width: width, isHalf: isHalf, channels: hasAlpha ? 4 : 3)
    } else {
      strips = nil
    }
    let channel = UnsafeMutablePointer<cexr_channel>.allocate(capacity: 1)
    unsafe channel.initialize(to: cexr_channel())
    unsafe channel.pointee.descriptor = descriptor
    unsafe self.channel = channel
    (self.compression, self.isHalf) = (compression, isHalf)
    channels = hasAlpha ? 4 : 3
    (self.width, self.height, self.tileSize) = (width, height, tileSize)
    var attributes = attributes
    let kind =
      switch compression {
      case .none: EXR_COMPRESSION_NONE
      case .zips: EXR_COMPRESSION_ZIPS
      case .zip: EXR_COMPRESSION_ZIP
      case .piz: EXR_COMPRESSION_PIZ
      case .dwaa: EXR_COMPRESSION_DWAA
      case .dwab: EXR_COMPRESSION_DWAB
      }
    if let level = compression.level {
      attributes.append(("dwaCompressionLevel", .number(level)))
    }
    var context: OpaquePointer?
    let started = unsafe cexr_begin(
      &context, channel, path, Int32(clamping: width), Int32(clamping: height),
      Int32(clamping: tileSize ?? 0), kind, isHalf ? 1 : 0, hasAlpha ? 1 : 0)
    unsafe self.context = context
    var lines: Int32 = 1
    var result = started
    if result == 0 {
      for (name, value) in attributes where result == 0 {
        result = unsafe Self.set(name, value, context)
      }
    }
    if result == 0 { result = unsafe exr_write_header(context) }
    if result == 0, tileSize == nil {
      result = unsafe exr_get_scanlines_per_chunk(context, 0, &lines)
    }
    linesPerChunk = tileSize ?? Int(max(lines, 1))
    linesPerPart = strips == nil ? linesPerChunk : DWAStrips.lines
    try check(result, "cannot start the file")
  }

  deinit {
    if unsafe context != nil { unsafe exr_finish(&context) }
    unsafe channel.deallocate()
  }

  private static func set(
    _ name: String, _ value: Attribute, _ context: OpaquePointer?
  ) -> exr_result_t {
    switch value {
    case .number(let number): return unsafe exr_attr_set_float(context, 0, name, number)
    case .integer(let number): return unsafe exr_attr_set_int(context, 0, name, number)
    case .text(let text): return unsafe exr_attr_set_string(context, 0, name, text)
    case .point(let x, let y):
      var point = exr_attr_v2f_t()
      (point.x, point.y) = (x, y)
      return unsafe exr_attr_set_v2f(context, 0, name, &point)
    case .chromaticities(let v):
      guard v.count == 8 else { return 0 }
      var points = exr_attr_chromaticities_t(
        red_x: v[0], red_y: v[1], green_x: v[2], green_y: v[3], blue_x: v[4], blue_y: v[5],
        white_x: v[6], white_y: v[7])
      return unsafe exr_attr_set_chromaticities(context, 0, name, &points)
    }
  }

  /// Maximum bytes of the parts with `lines` lines.
  package func bound(lines: Int) -> Int {
    let pixels = lines * channels * width * (isHalf ? 2 : 4)
    let words = DWATransform.maxWords * DWATransform.blocks(width, lines)
    return strips == nil ? pixels : pixels + 2 * words
  }

  /// Writes the next part, as a compressor made it, from the left and the top. One thread at a
  /// time.
  package func write(_ part: UnsafeRawBufferPointer) throws(CodecError) {
    defer { partsWritten += 1 }
    if let tileSize {
      let (y, x) = partsWritten.quotientAndRemainder(
        dividingBy: (width + tileSize - 1) / tileSize)
      return try check(
        unsafe exr_write_tile_chunk(
          context, 0, Int32(clamping: x), Int32(clamping: y), 0, 0, part.baseAddress,
          UInt64(part.count)),
        "cannot write the file")
    }
    let y = partsWritten * linesPerPart
    guard let strips else { return try unsafe writeChunk(y, part) }
    let top = y / linesPerChunk * linesPerChunk
    let chunk = try unsafe strips.add(
      part, lines: min(linesPerPart, height - y), of: min(linesPerChunk, height - top))
    if let chunk = unsafe chunk { try unsafe writeChunk(top, chunk) }
  }

  private func writeChunk(_ y: Int, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
    try check(
      unsafe exr_write_scanline_chunk(
        context, 0, Int32(clamping: y), bytes.baseAddress, UInt64(bytes.count)),
      "cannot write the file")
  }

  /// Writes the remaining structures of the file, after its last chunk.
  package func finish() throws(CodecError) {
    try check(unsafe exr_finish(&context), "cannot write the file")
  }

  /// Throws where `result` is no success, which is 0.
  fileprivate func check(_ result: exr_result_t, _ what: String) throws(CodecError) {
    guard result != 0 else { return }
    if unsafe channel.pointee.system_error != 0 {
      throw CodecError(what, systemError: unsafe channel.pointee.system_error)
    }
    let message = unsafe withUnsafeBytes(of: &channel.pointee.message) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    throw CodecError("\(what): OpenEXR: \(message.isEmpty ? "error \(result)" : message)")
  }
}

extension EXREncoder.Compression {
  /// The level of DWA; nil for lossless compression.
  fileprivate var level: Float? {
    switch self {
    case .dwaa(let level), .dwab(let level): level
    case .none, .zips, .zip, .piz: nil
    }
  }
}

/// Compresses parts of one file, one thread at a time; it must end before its file does.
@safe package final class EXRCompressor: @unchecked Sendable {
  private let file: EXREncoder
  private let state: UnsafeMutablePointer<cexr_compressor>
  private let zip: EXRZip?
  private let dwa: EXRDWA?

  /// A compressor for the parts of `file`.
  package init(_ file: EXREncoder) throws(CodecError) {
    self.file = file
    zip =
      switch file.compression {
      case .zip, .zips: try EXRZip()
      case .none, .piz, .dwaa, .dwab: nil
      }
    dwa =
      if let level = file.compression.level {
        try EXRDWA(level: level, isHalf: file.isHalf, channels: file.channels)
      } else {
        nil
      }
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: cexr_compressor())
  }

  deinit {
    unsafe cexr_end_compressor(file.context, state)
    unsafe state.deallocate()
  }

  /// Compresses the part of `width` columns that begins there: of each line all A, if there is
  /// one, then B, then G, then R, little-endian. `target` takes ``EXREncoder/bound(lines:)`` bytes.
  /// Returns how many are used.
  package func compress(
    _ lines: UnsafeRawBufferPointer, x: Int, y: Int, width: Int,
    into target: UnsafeMutableRawBufferPointer
  ) throws(CodecError) -> Int {
    if let zip { return try unsafe zip.compress(lines, into: target) }
    if let dwa {
      return file.isOfStrips
        ? unsafe dwa.transform(lines, width: width, into: target)
        : try unsafe dwa.compress(lines, width: width, into: target)
    }
    let tile = file.tileSize ?? 1
    var bytes: UnsafeRawPointer?
    var count: UInt64 = 0
    let result = unsafe cexr_compress(
      file.context, state, file.tileSize == nil ? 0 : 1, Int32(clamping: x / tile),
      Int32(clamping: y / tile), lines.baseAddress, &bytes, &count)
    try file.check(result, "cannot compress the picture")
    let made = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
    guard made.count <= target.count else { throw CodecError("OpenEXR made a chunk grow") }
    unsafe target.copyMemory(from: made)
    return made.count
  }
}
