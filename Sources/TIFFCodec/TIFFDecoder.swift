import CTIFF
import Codecs
package import Containers
import Foundation
package import ImageCore

/// The one owner of a libtiff handle for reading: one page of a file in memory.
///
/// libtiff prints nothing: its messages are collected in this handle and become part of the error.
/// One allocation takes at most ``DecodeLimits/maxDecodeBytes`` of the file. Not synchronized: one
/// thread at a time.
@safe package final class TIFFDecoder {
  private let channel: Channel
  private let tiff: OpaquePointer

  /// The state of libtiff's callbacks.
  private final class Channel {
    let file: FileBytes
    var position = 0
    let message = TIFFMessage()
    init(_ file: FileBytes) { self.file = file }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> Channel? {
      unsafe pointer.map { unsafe Unmanaged<Channel>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  /// Opens page `index` of the file.
  package init(_ file: FileBytes, page index: Int) throws(FormatError) {
    let channel = Channel(file)
    self.channel = channel
    let user = unsafe Unmanaged.passUnretained(channel).toOpaque()
    guard let options = unsafe TIFFOpenOptionsAlloc() else {
      throw FormatError(.tooLarge, "there is not enough memory; free some and try again")
    }
    defer { unsafe TIFFOpenOptionsFree(options) }
    unsafe TIFFOpenOptionsSetMaxSingleMemAlloc(
      options, tmsize_t(clamping: file.limits.maxDecodeBytes))
    unsafe channel.message.collect(options)
    // Header only, no strip chopping, strip tables loaded on demand.
    guard let tiff = unsafe Self.open(file.path ?? "bytes", user, options) else {
      throw Self.failure("it cannot be opened", channel)
    }
    unsafe self.tiff = tiff
    guard unsafe TIFFSetDirectory(tiff, tdir_t(clamping: index)) == 1 else {
      throw Self.failure("its directory is damaged", channel)
    }
  }

  deinit { unsafe TIFFClose(tiff) }

  private static func open(
    _ name: String, _ user: UnsafeMutableRawPointer, _ options: OpaquePointer
  ) -> OpaquePointer? {
    unsafe TIFFClientOpenExt(
      name, "rhcO", user,
      { user, buffer, count in
        guard let channel = unsafe Channel.of(user), let buffer = unsafe buffer, count > 0,
          channel.position < channel.file.count
        else { return 0 }
        let moved = min(Int(count), channel.file.count - channel.position)
        guard let start = unsafe channel.file.buffer.baseAddress else { return 0 }
        unsafe buffer.copyMemory(from: start + channel.position, byteCount: moved)
        channel.position += moved
        return tmsize_t(moved)
      },
      { _, _, _ in -1 },
      { user, offset, origin in
        guard let channel = unsafe Channel.of(user) else { return UInt64.max }
        let base =
          switch origin {
          case SEEK_SET: 0
          case SEEK_CUR: channel.position
          default: channel.file.count
          }
        let (position, overflow) = base.addingReportingOverflow(
          Int(Int64(bitPattern: UInt64(offset))))
        guard !overflow, position >= 0 else { return UInt64.max }
        channel.position = position
        return UInt64(position)
      },
      { _ in 0 },
      { user in unsafe UInt64(Channel.of(user)?.file.count ?? 0) },
      { user, base, size in
        guard let channel = unsafe Channel.of(user) else { return 0 }
        unsafe base?.pointee = unsafe UnsafeMutableRawPointer(
          mutating: channel.file.buffer.baseAddress)
        unsafe size?.pointee = toff_t(channel.file.count)
        return 1
      },
      { _, _, _ in }, unsafe options)
  }

  private static func failure(_ what: String, _ channel: Channel) -> FormatError {
    let message = channel.message.text
    let reason = message.isEmpty ? "" : " (libtiff: \(message))"
    return FormatError(.damaged, "\(what)\(reason); copy it again", path: channel.file.path)
  }

  package func failure(_ what: String) -> FormatError { Self.failure(what, channel) }

  /// A SHORT, or its default.
  package func short(_ tag: UInt16) -> Int {
    var value: UInt16 = 0
    return unsafe ctiff_get_short(tiff, UInt32(tag), &value) == 1 ? Int(value) : 0
  }
  /// A SHORT; nil where the directory has none.
  package func storedShort(_ tag: UInt16) -> Int? {
    var value: UInt16 = 0
    return unsafe ctiff_get_stored_short(tiff, UInt32(tag), &value) == 1 ? Int(value) : nil
  }
  /// A LONG, or its default.
  package func long(_ tag: UInt16) -> Int {
    var value: UInt32 = 0
    return unsafe ctiff_get_long(tiff, UInt32(tag), &value) == 1 ? Int(value) : 0
  }

  /// Selects conversions by libtiff: YCbCr of JPEG to RGB, SGI LogLuv to floats.
  package func setDecoding(jpegAsRGB: Bool, logarithmsAsFloats: Bool) {
    if jpegAsRGB {
      _ = unsafe ctiff_set_int(tiff, UInt32(TIFFTAG_JPEGCOLORMODE), JPEGCOLORMODE_RGB)
    }
    if logarithmsAsFloats {
      _ = unsafe ctiff_set_int(tiff, UInt32(TIFFTAG_SGILOGDATAFMT), SGILOGDATAFMT_FLOAT)
    }
  }

  /// Kinds of the extra samples: 0 unspecified, 1 associated alpha, 2 straight alpha.
  package var extraSamples: [Int] {
    var count: UInt16 = 0
    var kinds: UnsafeMutablePointer<UInt16>?
    guard unsafe ctiff_get_extra_samples(tiff, &count, &kinds) == 1, let kinds = unsafe kinds else {
      return []
    }
    return (0..<Int(count)).map { unsafe Int(kinds[$0]) }
  }

  /// Whether libtiff was built with what decodes pictures of this Compression.
  package static func decodes(_ compression: Int) -> Bool {
    UInt16(exactly: compression).map { TIFFIsCODECConfigured($0) == 1 } ?? false
  }

  /// Red, green and blue for each index of `bits` bits; nil when there is no palette. Entries of 8
  /// bits, which some writers store as they are and others times 256, get their full range.
  package func palette(bits: Int) -> [SIMD3<UInt16>]? {
    var tables: (UnsafeMutablePointer<UInt16>?, _, _) = unsafe (
      nil, UnsafeMutablePointer<UInt16>?.none, UnsafeMutablePointer<UInt16>?.none
    )
    guard (1...16).contains(bits),
      unsafe ctiff_get_palette(tiff, &tables.0, &tables.1, &tables.2) == 1,
      let red = unsafe tables.0, let green = unsafe tables.1, let blue = unsafe tables.2
    else { return nil }
    let colors = (0..<1 << bits).map { unsafe SIMD3(red[$0], green[$0], blue[$0]) }
    let used = colors.reduce(SIMD3<UInt16>()) { $0 | $1 }
    if (used & 0xFF00) == .zero { return colors.map { $0 &* 0x101 } }
    return (used & 0xFF) == .zero ? colors.map { $0 | $0 &>> 8 } : colors
  }

  package var isTiled: Bool { unsafe TIFFIsTiled(tiff) != 0 }
  /// Bytes of a row of a strip, of a row of a tile, of a tile, of `rows` rows of a strip; 0 when
  /// libtiff cannot compute it.
  package var rowBytes: Int { unsafe Int(clamping: TIFFScanlineSize64(tiff)) }
  package var tileRowBytes: Int { unsafe Int(clamping: TIFFTileRowSize64(tiff)) }
  package var tileBytes: Int { unsafe Int(clamping: TIFFTileSize64(tiff)) }
  package func stripBytes(rows: Int) -> Int {
    unsafe Int(clamping: TIFFVStripSize64(tiff, UInt32(clamping: rows)))
  }

  /// Whether strips or tiles together are stored in more than `limit` bytes; shared bytes count
  /// each time; up to the first that libtiff cannot find, where decoding ends.
  package func storesMore(than limit: Int) -> Bool {
    let count = unsafe isTiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff)
    var left = limit
    for number in 0..<count {
      var failed: Int32 = 0
      let bytes = unsafe TIFFGetStrileByteCountWithErr(tiff, number, &failed)
      guard failed == 0 else { return false }
      left -= min(Int(clamping: bytes), channel.file.count)
      guard left >= 0 else { return true }
    }
    return false
  }

  /// Decodes the strip that contains row `y` of `plane`; it must yield `bytes` bytes. `buffer` has
  /// room for a full strip; the last one may have fewer rows.
  package func readStrip(
    y: Int, plane: Int, bytes: Int, into buffer: UnsafeMutableRawPointer
  ) throws(FormatError) {
    channel.message.clear()
    let strip = unsafe TIFFComputeStrip(tiff, UInt32(clamping: y), UInt16(clamping: plane))
    let isIntact = unsafe isComplete(strip, buffer)
    let made = unsafe TIFFReadEncodedStrip(tiff, strip, buffer, tmsize_t(bytes))
    // Some codecs fill up what is damaged, give all bytes and only say so.
    guard Int(made) == bytes, isIntact, channel.message.isEmpty else {
      throw failure("its pixels are damaged")
    }
  }

  /// Decodes the tile that contains pixel (x, y) of `plane`, `bytes` bytes long, a full tile.
  package func readTile(
    x: Int, y: Int, plane: Int, bytes: Int, into buffer: UnsafeMutableRawPointer
  ) throws(FormatError) {
    channel.message.clear()
    let tile = unsafe TIFFComputeTile(
      tiff, UInt32(clamping: x), UInt32(clamping: y), 0, UInt16(clamping: plane))
    let isIntact = unsafe isComplete(tile, buffer)
    let made = unsafe TIFFReadEncodedTile(tiff, tile, buffer, tmsize_t(bytes))
    guard Int(made) == bytes, isIntact, channel.message.isEmpty else {
      throw failure("its pixels are damaged")
    }
  }

  /// Whether a strip or tile has its end and a correct checksum. libtiff stops in a damaged stream
  /// as soon as it has enough bytes, before end and checksum. `buffer`, with room for a full one,
  /// is overwritten: it is called before libtiff decodes into the same buffer, as a second one
  /// could be as large as the limit again.
  private func isComplete(_ number: UInt32, _ buffer: UnsafeMutableRawPointer) -> Bool {
    let decode: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Int?
    switch short(TIFFTag.compression) {
    case TIFFTag.Compression.deflate, TIFFTag.Compression.oldDeflate:
      unsafe decode = { unsafe ZlibStream.inflate($0, into: $1) }
    case TIFFTag.Compression.zstandard:
      unsafe decode = { unsafe ZstandardStream.decompress($0, into: $1) }
    default: return true
    }
    var (failed, count): (Int32, UInt64) = (0, 0)
    let offset = unsafe TIFFGetStrileOffsetWithErr(tiff, number, &failed)
    if failed == 0 { count = unsafe TIFFGetStrileByteCountWithErr(tiff, number, &failed) }
    guard failed == 0, channel.file.holds(Int(clamping: offset), Int(clamping: count)) else {
      return false
    }
    let coded = unsafe UnsafeRawBufferPointer(
      rebasing: channel.file.buffer[Int(offset)..<Int(offset) + Int(count)])
    return unsafe decode(coded, UnsafeMutableRawBufferPointer(start: buffer, count: partBytes))
      != nil
  }

  /// Bytes of a full strip or tile; a last strip may hold as many rows as the others.
  package var partBytes: Int {
    let rows = min(long(TIFFTag.rowsPerStrip), long(TIFFTag.imageLength))
    return isTiled ? tileBytes : stripBytes(rows: rows)
  }

  /// Whether strips and tiles are streams with an end, and with a checksum where they name one.
  package var hasStreams: Bool {
    [
      TIFFTag.Compression.deflate, TIFFTag.Compression.oldDeflate, TIFFTag.Compression.zstandard,
    ].contains(short(TIFFTag.compression))
  }

  /// Throws unless all strips or tiles are complete, see ``hasStreams``: ``readRGBA(_:into:)``
  /// decodes them internally. `buffer` has room for ``partBytes``.
  package func checkStreams(_ buffer: UnsafeMutableRawPointer) throws(FormatError) {
    let count = unsafe isTiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff)
    channel.message.clear()
    for number in 0..<count {
      try channel.file.checkReading()
      guard unsafe isComplete(number, buffer) else { throw failure("its pixels are damaged") }
    }
  }

  /// Whether libtiff can convert the page to 8-bit RGB.
  package var convertsToRGB: Bool {
    var text = [CChar](repeating: 0, count: 1024)
    return unsafe TIFFRGBAImageOK(tiff, &text) == 1
  }

  /// The full page as 8-bit RGBA, rows in stored order.
  package func readRGBA(_ size: PixelSize, into pixels: UnsafeMutablePointer<UInt32>)
    throws(FormatError)
  {
    let orientation = short(TIFFTag.orientation)
    channel.message.clear()
    // With the page's own orientation nothing is rotated.
    guard
      unsafe TIFFReadRGBAImageOriented(
        tiff, UInt32(clamping: size.width), UInt32(clamping: size.height), pixels,
        Int32(clamping: orientation), 1) == 1, channel.message.isEmpty
    else { throw failure("its pixels are damaged") }
  }
}
