import Codecs
import Containers

/// The chunks of a PNG that say something of its picture, found without libpng: version 1.6.39
/// knows none of the third edition (cICP, mDCV, cLLI). Each is checked against its CRC; the first
/// of a kind counts, one that is damaged is left out.
struct PNGChunks: Sendable {
  /// Compressed texts and profiles become at most this long.
  static let maxTextBytes = 16 << 20
  private static let xmpKeyword = Array("XML:com.adobe.xmp".utf8)
  private static let wanted: Set<String> = [
    "IHDR", "cICP", "iCCP", "sRGB", "gAMA", "cHRM", "mDCV", "cLLI", "eXIf", "acTL", "tRNS",
  ]

  private let file: FileBytes
  private var places: [String: (offset: Int, length: Int)] = [:]
  private var xmpPlace: (offset: Int, length: Int)?
  /// Bytes of compressed pixels.
  private(set) var pixelBytes = 0
  /// Names of chunks whose CRC is wrong.
  private(set) var damaged: [String] = []

  init(_ file: FileBytes) {
    self.file = file
    var position = 8
    while let length = file.integer(UInt32.self, at: position, bigEndian: true).map({ Int($0) }),
      let kind = file.bytes(position + 4, 4), file.holds(position + 8, length)
    {
      let name = String(decoding: kind, as: UTF8.self)
      let place = (offset: position + 8, length: length)
      switch name {
      case "IDAT": pixelBytes += length
      case "iTXt" where xmpPlace == nil && isXMP(place) && isSound(place): xmpPlace = place
      case _ where Self.wanted.contains(name) && places[name] == nil:
        if isSound(place) {
          places[name] = place
        } else if !damaged.contains(name) {
          damaged.append(name)
        }
      default: break
      }
      if name == "IEND" { break }
      position += 12 + length
    }
  }

  /// What stands in the chunk `name`; nil when it is not there or not `length` bytes long.
  func payload(_ name: String, length: Int? = nil) -> [UInt8]? {
    guard let place = places[name], length == nil || length == place.length else { return nil }
    return file.bytes(place.offset, place.length)
  }

  /// The ICC profile of `iCCP`: a name, a NUL, 0, and a zlib stream.
  var profile: [UInt8]? {
    guard let chunk = payload("iCCP"), let end = chunk.prefix(80).firstIndex(of: 0),
      chunk.count > end + 2, chunk[end + 1] == 0
    else { return nil }
    return ZlibStream.inflate(chunk[(end + 2)...], maxBytes: Self.maxTextBytes)
  }

  var hasProfile: Bool { places["iCCP"] != nil }

  /// The XMP packet: keyword, NUL, whether it is compressed, 0, a language and a NUL, a translated
  /// keyword and a NUL, the text.
  var xmp: [UInt8]? {
    guard let place = xmpPlace, let chunk = file.bytes(place.offset, place.length),
      chunk.count > Self.xmpKeyword.count + 3
    else { return nil }
    let flags = Self.xmpKeyword.count + 1
    guard let language = chunk[(flags + 2)...].firstIndex(of: 0),
      let keyword = chunk[(language + 1)...].firstIndex(of: 0)
    else { return nil }
    let text = chunk[(keyword + 1)...]
    guard text.count <= Self.maxTextBytes, !text.isEmpty else { return nil }
    if chunk[flags] == 0 { return Array(text) }
    guard chunk[flags] == 1, chunk[flags + 1] == 0 else { return nil }
    return ZlibStream.inflate(text, maxBytes: Self.maxTextBytes)
  }

  private func isXMP(_ place: (offset: Int, length: Int)) -> Bool {
    place.length > Self.xmpKeyword.count + 5
      && file.bytes(place.offset, Self.xmpKeyword.count + 1) == Self.xmpKeyword + [0]
  }

  private func isSound(_ place: (offset: Int, length: Int)) -> Bool {
    let start = place.offset - 4
    guard let stated = file.integer(UInt32.self, at: place.offset + place.length, bigEndian: true)
    else { return false }
    let bytes = unsafe UnsafeRawBufferPointer(
      rebasing: file.buffer[start..<start + 4 + place.length])
    return unsafe ZlibStream.crc32(bytes) == stated
  }
}
