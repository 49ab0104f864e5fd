import Codecs
import Containers
import HDRRender
import ImageCore

/// PNG (ISO/IEC 15948; third edition of W3C): metadata from its chunks, pixels by libpng. Colors
/// are not premultiplied. Known failure: the one transparent gray of pictures of fewer than 8 bits
/// is shown.
struct PNGStill: StillContainer {
  let info: StillInfo
  private let file: FileBytes
  private let policy: ReadPolicy
  private let header: PNGHeader
  private let pixelBytes: Int
  private let isNarrow: Bool
  private let hasAlpha: Bool
  private let isCut: Bool

  init(_ file: FileBytes, _ policy: ReadPolicy = .whole) throws(ReadError) {
    let chunks = try ReadError.translating { () throws(FormatError) in try PNGChunks(file) }
    guard file.matches(PNGChunk.header, at: 12), let payload = chunks.payload(PNGChunk.header)
    else {
      throw ReadError(.damaged, "its header is damaged; copy it again", path: file.path)
    }
    header = try PNGHeader(payload, path: file.path)
    (self.file, self.policy, pixelBytes) = (file, policy, chunks.pixelBytes)
    let found = PNGColor(chunks)
    isNarrow = found.isNarrow
    let block = chunks.payload(PNGChunk.exif) ?? chunks.texts.exif
    let exif = block.map { ExifInfo($0, of: file) } ?? ExifInfo()
    var info = StillInfo(
      storedSize: header.size, orientation: exif.orientation, bitDepth: header.bits,
      channels: header.channels, color: found.color)
    info.metadata = exif.metadata
    if let xmp = chunks.xmp { info.metadata.xmp = xmp }
    chunks.texts.fill(&info.metadata)
    if info.metadata.dotsPerInch == nil, let size = chunks.payload(PNGChunk.pixelSize, length: 9),
      size[8] == 1
    {
      var cursor = ByteCursor(size)
      let meter = (0..<2).map { _ in Double(cursor.integer(UInt32.self) ?? 0) / 100 }
      info.metadata.setResolution(SIMD2(meter[0], meter[1]), isMetric: true)
    }
    info.maker = exif.maker
    info.hdrMetadata.masteringDisplay = chunks.payload(PNGChunk.masteringDisplay).flatMap {
      HDRMetadata.MasteringDisplay(png: $0)
    }
    info.hdrMetadata.contentLight = chunks.payload(PNGChunk.contentLight).flatMap {
      HDRMetadata.ContentLight(png: $0)
    }
    info.notes = found.notes + exif.notes
    hasAlpha = header.hasAlpha || header.bits >= 8 && chunks.payload("tRNS") != nil
    if hasAlpha { info.alpha = .straight }
    if chunks.payload("acTL") != nil {
      info.notes.append("the file is an animation; its still picture is read")
    }
    if chunks.hasCredentials { info.notes.append(ContentCredentials.note) }
    isCut = !chunks.isComplete
    if isCut { info.notes.append(StillInfo.cutNote) }
    if !chunks.damaged.isEmpty {
      let names = chunks.damaged.joined(separator: ", ")
      info.notes.append("damaged chunks were left out: \(names)")
    }
    self.info = info
  }

  func picture() throws(ReadError) -> DecodedSamples {
    let (size, channels) = (header.size, header.channels + (hasAlpha ? 1 : 0))
    let format = DecodedSamples.Format.codes(bits: header.bits)
    try file.limits.allow(
      size, channels: channels, format, file: file, ratio: 8 * ZlibStream.maxRatio,
      beside: hasAlpha ? DecodedSamples.bytes(size, channels: channels, format) : 0)
    let storedBytes = (size.area / 8 * header.storedSamples * header.storedBits)
    guard policy.reads(.pngData) || storedBytes / ZlibStream.maxRatio <= pixelBytes else {
      throw ReadError(.damaged, "the file is truncated; copy it again", path: file.path)
    }
    let mixed = try DecodedSamples(size: size, channels: channels, format: format) {
      picture throws(ReadError) in
      try read(into: picture)
    }
    let picture = hasAlpha ? try mixed.withAlphaApart() : mixed
    if isNarrow { expandRange(picture) }
    return picture
  }

  private func read(into picture: DecodedSamples) throws(ReadError) {
    let size = header.size
    if policy.reads(.pngData) { picture.clear() }
    let complaint = withExtendedLifetime(file) {
      unsafe PNGDecoder.read(
        file.buffer, columns: size.width, rows: size.height,
        rowBytes: size.width * picture.channels * picture.format.bytes, stride: picture.stride,
        withAlpha: hasAlpha, isTolerant: policy.reads(.pngData),
        into: picture.row(0).assumingMemoryBound(to: UInt8.self),
        clock: file.clock)
    }
    if let complaint {
      try ReadError.translating { () throws(FormatError) in try file.checkReading() }
      guard policy.reads(.pngData) else {
        throw ReadError(
          .damaged, "its pixels are damaged (libpng: \(complaint)); copy it again",
          path: file.path)
      }
      picture.add(
        note: isCut
          ? StillInfo.cutNote
          : "its pixels are damaged (libpng: \(complaint)); they are read up to the damage")
    }
  }

  /// Expands narrow range to full range; values outside black and white are clipped.
  private func expandRange(_ picture: DecodedSamples) {
    let count = picture.size.width * picture.channels
    func full<T: FixedWidthInteger>(_ code: T, _ bits: Int) -> T {
      let (black, span) = (16 << (bits - 8), 219 << (bits - 8))
      let level = (Int(code) - black) * ((1 << bits) - 1)
      return T(clamping: (level + (level < 0 ? -span : span) / 2) / span)
    }
    for y in 0..<picture.size.height {
      switch header.bits {
      case 8:
        let row = unsafe picture.row(y).assumingMemoryBound(to: UInt8.self)
        for i in 0..<count { unsafe row[i] = full(row[i], 8) }
      case 16:
        let row = unsafe picture.row(y).assumingMemoryBound(to: UInt16.self)
        for i in 0..<count { unsafe row[i] = full(row[i], 16) }
      default: return
      }
    }
  }
}
