import Containers
import ImageCore

/// Decodes one tile or strip, or rows of one, from its bytes. False if they are damaged.
typealias ChunkDecoder<Sample: StoredSample> =
  @Sendable (ByteView, StoredTile, SampleTarget<Sample>) throws(PixelError) -> Bool

/// A compression of the tiles and strips of a DNG (TIFF 6.0; DNG 1.7.1 chapter 3): its name,
/// supported sample formats, decoding cost, and decoder. To add a compression, add a type and its
/// line in ``ChunkCompressions/all``.
protocol ChunkCompression: Sendable {
  /// Its values of the Compression tag.
  static var codes: [Int] { get }
  /// Its name in messages and reports.
  static var name: String { get }
  /// The name of the coding of the first chunk of `storage`, if ``name`` covers several codings.
  static func name(of storage: RawStorage, in file: FileBytes) -> String

  /// Why the sample format of `storage` cannot be decoded; nil if it can, according to its tags.
  static func obstacle(_ storage: RawStorage) -> String?
  /// Why the raw `picture` cannot be decoded, according to its first chunk in `file`; nil if it
  /// can. Damage is detected when decoding.
  static func obstacle(_ picture: StoredPicture, in file: FileBytes) -> String?

  /// Whether the rows of a chunk have a fixed length, so that each can be read separately and the
  /// size of a chunk can be computed.
  static var hasFixedRows: Bool { get }
  /// Fixed decoding cost of a chunk (headers and tables) in pixels. Limits the number of chunks in
  /// a file.
  static var minPixels: Int { get }
  /// Bytes per pixel of the complete picture that decoding needs in addition to the result.
  static var bytesPerPixel: Int { get }
  /// Bytes that decoding needs for a full tile of `storage`; 0 if it works by rows.
  static func tileBytes(_ storage: RawStorage) -> Int

  /// The value of each of the 65 536 codes of `picture`; empty for the identity.
  static func lookup(_ picture: StoredPicture) -> [UInt16]
  /// The decoder of `picture` in `file` for integers of at most 16 bits, on up to `workers` threads
  /// for all chunks together. Throws if the chunks have an unsupported format.
  static func integers(
    _ picture: StoredPicture, in file: FileBytes, workers: Int
  ) throws(RAWError) -> ChunkDecoder<UInt16>
  /// The decoder of `picture` for floats and longer integers; nil if it supports none.
  static func floats(_ picture: StoredPicture) -> ChunkDecoder<Float>?
}

extension ChunkCompression {
  static func name(of storage: RawStorage, in file: FileBytes) -> String { name }
  static func obstacle(_ picture: StoredPicture, in file: FileBytes) -> String? { nil }
  static var hasFixedRows: Bool { false }
  static var minPixels: Int { 1 }
  static var bytesPerPixel: Int { 0 }
  static func tileBytes(_ storage: RawStorage) -> Int { 0 }

  static func lookup(_ picture: StoredPicture) -> [UInt16] {
    let table = picture.table
    guard picture.appliesTable, let last = table.indices.last else { return [] }
    return (0..<65536).map { table[min($0, last)] }
  }

  static func floats(_ picture: StoredPicture) -> ChunkDecoder<Float>? { nil }
}

/// The supported compressions.
enum ChunkCompressions {
  static let all: [any ChunkCompression.Type] = [
    UncompressedDecoder.self, JPEGDecoder.self, DeflateDecoder.self, VC5Decoder.self,
    LossyJPEGDecoder.self, JPEGXLDecoder.self,
  ]

  /// The compression with `code`, a value of the Compression tag; nil for any other.
  static func compression(_ code: Int) -> (any ChunkCompression.Type)? {
    all.first { $0.codes.contains(code) }
  }
}

extension RawStorage {
  /// The compression; nil if it is not supported.
  var chunkCompression: (any ChunkCompression.Type)? {
    ChunkCompressions.compression(compression)
  }

  /// The name of the compression in messages.
  var compressionName: String { chunkCompression?.name ?? "compression \(compression)" }

  /// The message for an unsupported sample format.
  var formatObstacle: String {
    "\(bitsPerSample)-bit \(sampleKind) stored as \(compressionName) are not supported"
  }

  var sampleKind: String { isFloat ? "floats" : "integers" }

  /// Whether its samples are floats of 16, 24 or 32 bits or integers of up to 32 bits.
  var holdsPlainNumbers: Bool {
    isFloat ? [16, 24, 32].contains(bitsPerSample) : (1...32).contains(bitsPerSample)
  }
}
