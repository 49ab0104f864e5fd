import Containers
import ImageCore

/// Decodes one tile or strip, or rows of one, from its bytes. False when they are damaged.
typealias ChunkDecoder<Sample: StoredSample> =
  @Sendable (ByteView, StoredTile, SampleTarget<Sample>) throws(PixelError) -> Bool

/// One way to compress the tiles and strips of a DNG (TIFF 6.0; DNG 1.7.1 chapter 3): what it is
/// called, which samples it can hold, what decoding may cost, and its decoder. A new compression is
/// a type of this kind and its line in ``ChunkCompressions/all``.
protocol ChunkCompression: Sendable {
  /// Its values of the tag Compression.
  static var codes: [Int] { get }
  /// Its name in messages and reports.
  static var name: String { get }
  /// The name of what the first chunk of `storage` holds, where ``name`` stands for several
  /// codings.
  static func name(of storage: RawStorage, in file: FileBytes) -> String

  /// Why samples of the format of `storage` cannot be decoded; nil when they can, as far as its
  /// tags tell.
  static func obstacle(_ storage: RawStorage) -> String?
  /// Why the raw `picture` cannot be decoded, as far as its first chunk in `file` tells; nil when
  /// it can. Damage is left to decoding.
  static func obstacle(_ picture: StoredPicture, in file: FileBytes) -> String?

  /// Whether the rows of a chunk have a known length, so that each can be read by itself and the
  /// bytes of a chunk can be computed.
  static var hasFixedRows: Bool { get }
  /// Pixels whose decoding takes as long as the smallest chunk does: its headers and tables. It
  /// limits the number of chunks that a file may name.
  static var leastPixels: Int { get }
  /// Bytes for each pixel that decoding holds of the whole picture, beside the result.
  static var bytesPerPixel: Int { get }
  /// Bytes that decoding holds of a whole tile of `storage`; 0 where it holds rows.
  static func tileBytes(_ storage: RawStorage) -> Int

  /// The value of each of the 65 536 codes of `picture`; empty for the code itself.
  static func lookup(_ picture: StoredPicture) -> [UInt16]
  /// The decoder of `picture` in `file` for integers of at most 16 bits, on up to `workers` threads
  /// for all chunks together. Fails when the chunks hold what it cannot decode.
  static func integers(
    _ picture: StoredPicture, in file: FileBytes, workers: Int
  ) throws(RAWError) -> ChunkDecoder<UInt16>
  /// The decoder of `picture` for floats and longer integers; nil where it can hold none.
  static func floats(_ picture: StoredPicture) -> ChunkDecoder<Float>?
}

extension ChunkCompression {
  static func name(of storage: RawStorage, in file: FileBytes) -> String { name }
  static func obstacle(_ picture: StoredPicture, in file: FileBytes) -> String? { nil }
  static var hasFixedRows: Bool { false }
  static var leastPixels: Int { 1 }
  static var bytesPerPixel: Int { 0 }
  static func tileBytes(_ storage: RawStorage) -> Int { 0 }

  static func lookup(_ picture: StoredPicture) -> [UInt16] {
    let table = picture.table
    guard picture.appliesTable, let last = table.indices.last else { return [] }
    return (0..<65536).map { table[min($0, last)] }
  }

  static func floats(_ picture: StoredPicture) -> ChunkDecoder<Float>? { nil }
}

/// The compressions that are decoded here.
enum ChunkCompressions {
  static let all: [any ChunkCompression.Type] = [
    UncompressedDecoder.self, JPEGDecoder.self, DeflateDecoder.self, VC5Decoder.self,
    LossyJPEGDecoder.self, JPEGXLDecoder.self,
  ]

  /// The compression of `code`, a value of the tag Compression; nil for any other.
  static func compression(_ code: Int) -> (any ChunkCompression.Type)? {
    all.first { $0.codes.contains(code) }
  }
}

extension RawStorage {
  /// How it is compressed; nil for a compression that is not decoded here.
  var chunkCompression: (any ChunkCompression.Type)? {
    ChunkCompressions.compression(compression)
  }

  /// The name of its compression in messages.
  var compressionName: String { chunkCompression?.name ?? "compression \(compression)" }

  /// The refusal of its samples' format.
  var formatObstacle: String {
    "\(bitsPerSample)-bit \(sampleKind) stored as \(compressionName) are not supported"
  }

  var sampleKind: String { isFloat ? "floats" : "integers" }

  /// Whether its samples are floats of 16, 24 or 32 bits or integers of up to 32.
  var holdsPlainNumbers: Bool {
    isFloat ? [16, 24, 32].contains(bitsPerSample) : (1...32).contains(bitsPerSample)
  }
}
