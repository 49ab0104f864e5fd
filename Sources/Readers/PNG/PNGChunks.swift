import Codecs
package import Containers

/// The metadata chunks of a PNG, parsed without libpng: version 1.6.39 supports none of the third
/// edition (cICP, mDCV, cLLI). Each is checked against its CRC; the first of a kind counts, damaged
/// ones are ignored.
package struct PNGChunks: Sendable {
  private static let xmpKeyword = Array("XML:com.adobe.xmp".utf8)
  /// The chunk of content credentials.
  private static let credentials = "caBX"
  private static let wanted: Set<String> = [
    PNGChunk.header, PNGChunk.codePoints, PNGChunk.profile, "sRGB", "gAMA", "cHRM",
    PNGChunk.masteringDisplay, PNGChunk.contentLight, PNGChunk.exif, PNGChunk.pixelSize, "acTL",
    "tRNS",
    credentials,
  ]

  private let file: FileBytes
  private var chunks: [String: (offset: Int, length: Int)] = [:]
  private var xmpChunk: (offset: Int, length: Int)?
  /// Other texts.
  private(set) var texts = PNGText()
  /// Bytes of compressed pixels.
  private(set) var pixelBytes = 0
  /// Whether the chunk that ends the file is there.
  private(set) var isComplete = false
  /// Names of chunks whose CRC is wrong.
  private(set) var damaged: [String] = []

  /// Throws beyond the limit of chunks, not counting pixel data.
  package init(_ file: FileBytes) throws(FormatError) {
    self.file = file
    try PNGChunk.forEach(in: file) { name, data in
      add(name, (offset: data.lowerBound, length: data.count))
      return true
    }
  }

  /// Names of drafts of the third edition, which ffmpeg and others wrote.
  private static let drafts = ["mDCv": PNGChunk.masteringDisplay, "cLLi": PNGChunk.contentLight]

  private mutating func add(_ name: String, _ chunk: (offset: Int, length: Int)) {
    let name = Self.drafts[name] ?? name
    switch name {
    case "IDAT": pixelBytes += chunk.length
    case "IEND": isComplete = true
    case "iTXt" where isXMP(chunk): if xmpChunk == nil, isIntact(chunk) { xmpChunk = chunk }
    case "tEXt", "zTXt", "iTXt":
      if chunk.length <= FormatLimits.textBytes, isIntact(chunk),
        let data = file.bytes(chunk.offset, chunk.length)
      {
        texts.add(name, data)
      }
    case _ where Self.wanted.contains(name) && chunks[name] == nil:
      if isIntact(chunk) {
        chunks[name] = chunk
      } else if !damaged.contains(name) {
        damaged.append(name)
      }
    default: break
    }
  }

  /// The data of chunk `name`; nil when it is missing or not `length` bytes long.
  package func payload(_ name: String, length: Int? = nil) -> [UInt8]? {
    guard let chunk = chunks[name], length == nil || length == chunk.length else { return nil }
    return file.bytes(chunk.offset, chunk.length)
  }

  /// The ICC profile of `iCCP`: a name, a NUL, 0, and a zlib stream.
  var profile: [UInt8]? {
    guard let chunk = payload(PNGChunk.profile), let end = chunk.prefix(80).firstIndex(of: 0),
      chunk.count > end + 2, chunk[end + 1] == 0
    else { return nil }
    return ZlibStream.inflate(chunk[(end + 2)...], maxBytes: FormatLimits.textBytes)
  }

  var hasProfile: Bool { chunks[PNGChunk.profile] != nil }
  var hasCredentials: Bool { chunks[Self.credentials] != nil }

  /// The XMP packet, an international text.
  var xmp: [UInt8]? {
    guard let found = xmpChunk, let chunk = file.bytes(found.offset, found.length) else {
      return nil
    }
    return PNGText.international(chunk, behind: Self.xmpKeyword.count)
  }

  private func isXMP(_ chunk: (offset: Int, length: Int)) -> Bool {
    chunk.length > Self.xmpKeyword.count + 5
      && file.bytes(chunk.offset, Self.xmpKeyword.count + 1) == Self.xmpKeyword + [0]
  }

  private func isIntact(_ chunk: (offset: Int, length: Int)) -> Bool {
    let start = chunk.offset - 4
    guard let crc = file.integer(UInt32.self, at: chunk.offset + chunk.length, bigEndian: true)
    else { return false }
    let bytes = unsafe UnsafeRawBufferPointer(
      rebasing: file.buffer[start..<start + 4 + chunk.length])
    return unsafe ZlibStream.crc32(bytes) == crc
  }
}
