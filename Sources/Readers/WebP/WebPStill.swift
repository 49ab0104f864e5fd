import Containers
import ImageCore
import WebPCodec

/// WebP (RFC 9649), lossy and lossless: pixels by libwebp; profile, Exif and XMP from the chunks of
/// its RIFF container. An animation is refused: its first frame may not cover the canvas.
struct WebPStill: StillContainer {
  let info: StillInfo
  private let file: FileBytes
  private let policy: ReadPolicy
  private let header: WebPDecoder.Info

  init(_ file: FileBytes, _ policy: ReadPolicy = .whole) throws(ReadError) {
    guard let header = WebPDecoder.info(file), header.size.width > 0, header.size.height > 0 else {
      throw ReadError(.damaged, "its header is damaged; copy it again", path: file.path)
    }
    guard !header.isAnimation else {
      throw ReadError(
        .unsupported, "this WebP is an animation; save the picture that is wanted as a still",
        path: file.path)
    }
    (self.file, self.policy, self.header) = (file, policy, header)
    var info = StillInfo(storedSize: header.size, bitDepth: 8, channels: 3, color: .assumed)
    let chunks = Self.chunks(file)
    if let range = chunks["ICCP"], let profile = file.bytes(range.lowerBound, range.count) {
      if let color = ICCReader.description(of: profile) {
        info.color = color
      } else {
        info.notes.append(ICCReader.damagedNote)
      }
    }
    if let range = chunks["EXIF"], let block = file.bytes(range.lowerBound, range.count) {
      // Some writers put in front what JPEG has there.
      let isMarked = block.starts(with: Array("Exif\0\0".utf8))
      let exif = ExifInfo(isMarked ? Array(block.dropFirst(6)) : block, of: file)
      info.metadata = exif.metadata
      info.orientation = exif.orientation
      info.notes += exif.notes
    }
    if let range = chunks["XMP "] { info.metadata.xmp = file.bytes(range.lowerBound, range.count) }
    if header.hasAlpha { info.alpha = .straight }
    if chunks["C2PA"] != nil { info.notes.append(ContentCredentials.note) }
    self.info = info
  }

  func picture() throws(ReadError) -> DecodedSamples {
    let (size, format) = (header.size, DecodedSamples.Format.codes(bits: 8))
    try file.limits.allow(
      size, channels: 4, format, file: file, ratio: Int.max, beside: header.workingBytes)
    func read(_ picture: DecodedSamples) throws(ReadError) {
      if policy.reads(.webPData) { picture.clear() }
      let rows = try ReadError.translating { () throws(FormatError) in
        try unsafe WebPDecoder.decode(
          file, size: size, isRGBA: picture.channels == 4, stride: picture.stride,
          into: picture.row(0).assumingMemoryBound(to: UInt8.self))
      }
      guard rows < size.height else { return }
      guard rows > 0, policy.reads(.webPData) else {
        throw ReadError(.damaged, "its pixels are damaged; copy it again", path: file.path)
      }
      picture.add(note: StillInfo.partNote(rows: rows, of: size))
    }
    guard header.hasAlpha else {
      return try DecodedSamples(size: size, channels: 3, format: format, fill: read)
    }
    return try DecodedSamples(size: size, channels: 4, format: format, fill: read).withAlphaApart()
  }

  /// Byte range of the first chunk of each name, for chunks within the file.
  private static func chunks(_ file: FileBytes) -> [String: Range<Int>] {
    var found: [String: Range<Int>] = [:]
    var at = 12
    for _ in 0..<file.limits.maxItems {
      guard let name = file.bytes(at, 4),
        let count = file.integer(UInt32.self, at: at + 4, bigEndian: false),
        file.holds(at + 8, Int(count))
      else { break }
      let key = String(decoding: name, as: UTF8.self)
      if found[key] == nil { found[key] = at + 8..<at + 8 + Int(count) }
      at += 8 + Int(count) + Int(count & 1)
    }
    return found
  }
}
