import Containers
import ImageCore
import RawData
import Testing

@testable import RawDecode

/// Laws for each compression of the list.
@Suite struct ChunkCompressionTests {
  @Test func codesAndNamesAreUnique() {
    let codes = ChunkCompressions.all.flatMap { $0.codes }
    let names = ChunkCompressions.all.map { $0.name }
    #expect(Set(codes).count == codes.count && codes.count >= names.count)
    #expect(Set(names).count == names.count && !names.contains(""))
    for compression in ChunkCompressions.all {
      for code in compression.codes {
        #expect(ChunkCompressions.compression(code) == compression, "\(code)")
      }
    }
  }

  /// The picture of a small DNG of one strip with these tags.
  private func picture(
    compression: Int, bits: Int, isFloat: Bool, predictor: Int
  ) throws -> (StoredPicture, FileBytes) {
    var file = StoredFile(size: PixelSize(width: 4, height: 4), tile: nil)
    file.codes = [UInt32](repeating: 0, count: 16)
    file.tags = [
      258: [bits], 259: [compression], 317: [predictor], 339: [isFloat ? 3 : 1],
    ]
    let tiff = try #require(try TIFFFile(FileBytes(file.bytes())))
    let storage = try #require(RawStorage(tiff.first))
    var picture = StoredPicture(
      storage: storage, bigEndian: false, area: PixelRect(storage.size))
    picture.pattern = CFA(width: 2, height: 2, channels: [0, 1, 1, 2])
    return (picture, tiff.file)
  }

  /// A format that opening accepts can be decoded: its strip, which contains zeros, is damaged at
  /// worst.
  @Test func acceptedFormatsHaveADecoder() throws {
    for compression in ChunkCompressions.all {
      var accepted = 0
      for code in compression.codes {
        for predictor in [1, 2, 3, 34892, 34893, 34894, 34895] {
          for (bits, isFloat) in (1...32).flatMap({ [($0, false), ($0, true)] }) {
            let (picture, file) = try picture(
              compression: code, bits: bits, isFloat: isFloat, predictor: predictor)
            guard picture.storage.obstacle == nil else { continue }
            accepted += 1
            let format: Comment = "\(compression.name), \(bits) bits, \(isFloat), \(predictor)"
            switch picture.storage.format {
            case .float32: #expect(compression.floats(picture) != nil, format)
            case .uint16:
              do {
                _ = try compression.integers(picture, in: file, workers: 1)
              } catch {
                #expect(error.code == .damaged, format)
              }
            }
          }
        }
      }
      #expect(accepted > 0, "\(compression.name)")
    }
  }

  @Test func otherCodesAreRefusedByNumber() throws {
    for code in [0, 2, 5, 6, 34713, 50000, 65535] {
      let (picture, _) = try picture(compression: code, bits: 16, isFloat: false, predictor: 1)
      #expect(picture.storage.chunkCompression == nil)
      #expect(picture.storage.obstacle == "compression \(code) is not supported")
    }
  }

  /// Each compression has a file in the abuse tests, which decodes, and fails with half of a chunk.
  @Test func cutChunksAreRefused() throws {
    let abuse = StoredPictureAbuseTests()
    let kinds = try abuse.kinds()
    for compression in ChunkCompressions.all {
      let own = kinds.filter { compression.codes.contains($0.compression) }
      #expect(!own.isEmpty, "\(compression.name)")
      for var kind in own {
        for code in compression.codes {
          kind.tags[259] = [code]
          #expect(abuse.failure(try kind.bytes()) == nil, "compression \(code)")
          let cut = try kind.bytes { chunks in chunks[0].removeLast(chunks[0].count / 2) }
          let error = abuse.failure(cut)
          #expect(error?.code == .damaged && error?.stage == .decode, "compression \(code)")
        }
      }
    }
  }
}
