import Containers
import ImageCore
import RawTestSupport
import SyntheticRaw
import TestSupport
import Testing

@testable import RawDecode

@Suite struct EmbeddedPreviewTests {
  /// The headers of a JPEG of three components, up to its scan.
  private func jpeg(_ width: UInt8, _ height: UInt8, frame: UInt8 = 0xC0) -> [UInt8] {
    let components: [UInt8] = [1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]
    return [0xFF, 0xD8, 0xFF, frame, 0, 17, 8, 0, height, 0, width, 3] + components
      + [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0, 0xFF, 0xD9]
  }

  private func preview(
    _ data: [UInt8], subfile: UInt32 = 1, _ further: [UInt16: [UInt32]] = [:]
  ) -> AuxiliaryDNG.Directory {
    // Sizes in directories are ignored.
    var directory = AuxiliaryDNG.Directory.plain(
      PixelSize(width: 9, height: 9), subfile: subfile, photometric: 6, data)
    directory.fields[259] = [7]
    directory.fields.merge(further) { $1 }
    return directory
  }

  private func size(_ directories: AuxiliaryDNG.Directory...) throws -> PixelSize? {
    var dng = AuxiliaryDNG()
    dng.directories = directories
    return try RawFile.open(bytes: dng.bytes()).preview()?.size
  }

  private let small = PixelSize(width: 16, height: 8)

  @Test func theLargestIsTakenByteForByte() throws {
    var dng = AuxiliaryDNG()
    dng.orientation = .right
    dng.directories = [
      preview(jpeg(16, 8)), preview(jpeg(200, 100), subfile: 0x10001), preview(jpeg(64, 48)),
    ]
    let found = try #require(try RawFile.open(bytes: dng.bytes()).preview())
    // Stored unrotated, regardless of the raw's orientation.
    #expect(found.size == PixelSize(width: 200, height: 100) && found.jpeg == jpeg(200, 100))
  }

  @Test func incompleteAndOtherJPEGsAreSkipped() throws {
    let good = preview(jpeg(16, 8))
    #expect(try size(good, preview(jpeg(99, 99, frame: 0xC3))) == small)
    #expect(try size(good, preview([0, 0] + jpeg(99, 99))) == small)
    #expect(try size(good, preview(Array(jpeg(99, 99).prefix(9)))) == small)
    // Tables in the directory, another use, another compression.
    #expect(try size(good, preview(jpeg(99, 99), [347: [1]])) == small)
    #expect(try size(good, preview(jpeg(99, 99), subfile: 65540)) == small)
    #expect(try size(good, preview(jpeg(99, 99), [259: [1]])) == small)
    #expect(try size(good, preview(jpeg(99, 99), [258: [16]])) == small)
  }

  @Test func previewsOutsideTheFileAreSkipped() throws {
    var cut = preview([])
    for chunk: (UInt32, UInt32) in [(0xFFFF_FFF0, 100), (8, 0xFFFF_FFFF), (0, 0)] {
      (cut.fields[273], cut.fields[279]) = ([chunk.0], [chunk.1])
      #expect(try size(cut) == nil)
      #expect(try size(cut, preview(jpeg(16, 8))) == small)
    }
  }

  @Test func filesThatADirectoryPointsAtCount() throws {
    var dng = AuxiliaryDNG()
    var pointer = AuxiliaryDNG.Directory()
    pointer.fields = [254: [1], 513: [0], 514: [UInt32(jpeg(40, 30).count)]]
    dng.directories = [pointer]
    pointer.fields[513] = [UInt32(try dng.bytes().count)]
    dng.directories = [pointer]
    let bytes = try dng.bytes() + jpeg(40, 30)
    #expect(try RawFile.open(bytes: bytes).preview()?.size == PixelSize(width: 40, height: 30))
  }

  /// Panasonic stores it as a value of the first directory.
  @Test func valuesOfTheFirstDirectoryCount() throws {
    var dng = AuxiliaryDNG()
    dng.fields = [0x2E: .undefined(jpeg(40, 30))]
    let found = try #require(try RawFile.open(bytes: dng.bytes()).preview())
    #expect(found.jpeg == jpeg(40, 30))
    dng.fields = [0x2E: .shorts([1, 2, 3])]
    #expect(try RawFile.open(bytes: dng.bytes()).preview() == nil)
  }

  /// Each directory that names a JPEG requires reading its header; references to the same JPEG are
  /// followed only up to a total of the file's length.
  @Test func jpegsThatDirectoriesShareAreNotReadAgainAndAgain() throws {
    let rest = [UInt8](repeating: 0, count: 300_000)
    let shared = jpeg(16, 8) + rest
    func size(pointers: Int) throws -> PixelSize? {
      var dng = AuxiliaryDNG()
      func directories(at start: Int) -> [AuxiliaryDNG.Directory] {
        var pointer = AuxiliaryDNG.Directory()
        pointer.fields = [254: [1], 513: [UInt32(start)], 514: [UInt32(shared.count)]]
        return [AuxiliaryDNG.Directory](repeating: pointer, count: pointers)
          + [preview(jpeg(40, 30) + rest)]
      }
      dng.directories = directories(at: 0)
      dng.directories = directories(at: try dng.bytes().count)
      return try RawFile.open(bytes: try dng.bytes() + shared).preview()?.size
    }
    #expect(try size(pointers: 4) == PixelSize(width: 40, height: 30))
    #expect(try size(pointers: 60) == small)
  }

  @Test func jpegsOfTooManySegmentsAreSkipped() throws {
    let comments = Array([[UInt8]](repeating: [0xFF, 0xFE, 0, 2], count: 1000).joined())
    let long = Array(jpeg(99, 99).prefix(2)) + comments + jpeg(99, 99).dropFirst(2)
    var dng = AuxiliaryDNG()
    dng.directories = [preview(jpeg(16, 8)), preview(long)]
    let bytes = try dng.bytes()
    #expect(try RawFile.open(bytes: bytes).preview()?.size == PixelSize(width: 99, height: 99))
    let limits = DecodeLimits(maxItems: 1000)
    #expect(try RawFile.open(bytes: bytes, limits: limits).preview()?.size == small)
  }

  @Test func sharedFilesHaveTheirs() throws {
    for (name, size) in [
      ("dng/synth_proraw_10bit.dng", PixelSize(width: 1008, height: 756)),
      ("dng/c_proraw_unc16.dng", PixelSize(width: 400, height: 300)),
    ] {
      let path = try SharedFiles.path(name)
      let preview = try #require(try RawFile.open(path: path).preview())
      #expect(preview.size == size)
      #expect(preview.decode(maxSide: 4096)?.size == size)
    }
  }

  /// Previews of CR2s are found without LibRaw, and equal LibRaw's.
  @Test(arguments: ["raws/canon30d_IMG_0848.CR2", "raws/canonG10_plant_window.cr2"])
  func previewsOfCR2sAreLibRaws(_ name: String) throws {
    let file = try RawFile.open(path: SharedFiles.path(name))
    let preview = try #require(file.preview())
    #expect(try preview.jpeg == LibRawHandle(file.bytes).previewJPEG())
  }

  // MARK: Orientation

  /// Orientation in the first Exif segment of a JPEG.
  private func declared(_ jpeg: [UInt8]) throws -> Int? {
    let file = try FileBytes(jpeg)
    let range = try #require(JPEGSegments(file)).payloads(.exif).first
    let block = try range.map { try FileBytes(Array(jpeg[$0])) }
    return try block.flatMap { try TIFFFile($0) }?.first[TIFFTag.orientation]?.integer
  }

  /// A JPEG with JFIF and, unless it is nil, an Exif block of this orientation.
  private func preview(_ orientation: Int?, bigEndian: Bool = false) throws -> EmbeddedPreview {
    let fields = [
      TIFFField(0x010F, .ascii("Acme"), bigEndian: bigEndian),
      TIFFField(
        TIFFTag.orientation, .shorts([UInt16(orientation ?? 1)]), bigEndian: bigEndian),
    ]
    let header: [UInt8] =
      bigEndian ? Array("MM".utf8) + [0, 42, 0, 0, 0, 8] : Array("II".utf8) + [42, 0, 8, 0, 0, 0]
    let block = header + TIFFDirectoryWriter(bigEndian: bigEndian).bytes(fields, at: 8)
    let segments =
      JPEGIdentifier.jfif.segment([1, 1, 0, 0, 1, 0, 1, 0, 0])
      + (orientation == nil ? [] : JPEGIdentifier.exif.segment(block))
    let plain = jpeg(16, 8)
    return try #require(EmbeddedPreview(plain.prefix(2) + segments + plain.dropFirst(2)))
  }

  @Test(arguments: [nil, 1], [true, false]) func orientationIsDeclared(own: Int?, big: Bool) throws
  {
    let preview = try preview(own, bigEndian: big)
    for orientation in Orientation.allCases {
      let jpeg = preview.jpeg(declaring: orientation)
      #expect(try declared(jpeg) ?? 1 == orientation.rawValue)
      #expect(
        jpeg.suffix(30) == preview.jpeg.suffix(30) && jpeg.prefix(20) == preview.jpeg.prefix(20))
      #expect(try #require(EmbeddedPreview(jpeg)).missing(orientation, stored: small) == .up)
    }
    #expect(preview.jpeg(declaring: .up) == preview.jpeg)
  }

  @Test func turnedPreviewsAreLeftAlone() throws {
    #expect(try preview(6).missing(.right, stored: small) == .up)
    #expect(try preview(nil).missing(.right, stored: small) == .right)
    #expect(try preview(nil).missing(.down, stored: small) == .down)
    // It already has the aspect of the upright picture.
    #expect(try preview(nil).missing(.right, stored: small.transposed) == .up)
  }

  /// libjpeg would allocate 8.6 GB of coefficients for a few bytes.
  @Test func hugePreviewsAreNotDecoded() throws {
    var bytes = jpeg(16, 8, frame: 0xC2)
    bytes.replaceSubrange(7..<11, with: [255, 220, 255, 220])
    let preview = try #require(EmbeddedPreview(bytes))
    #expect(preview.size == PixelSize(width: 65500, height: 65500))
    #expect(preview.decode(maxSide: 256) == nil)
  }
  /// A gray progressive picture of 4096 × 4096 pixels without details; its scans except the first
  /// have 30 bytes and visit 262,144 blocks each.
  private func progressive(scans: Int) -> [UInt8] {
    func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
      [0xFF, marker] + UInt16(payload.count + 2).bytes(bigEndian: true) + payload
    }
    func scan(_ coefficient: UInt8, _ shifts: UInt8, _ bytes: Int) -> [UInt8] {
      segment(0xDA, [1, 1, 0, coefficient, coefficient, shifts])
        + [UInt8](repeating: 0, count: bytes)
    }
    let one = [UInt8(1)] + [UInt8](repeating: 0, count: 15)
    var bytes: [UInt8] = [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    bytes += segment(0xC2, [8, 16, 0, 16, 0, 1, 1, 0x11, 0])
    // Zeros: a difference of 0, and 16,384 blocks that end here.
    bytes += segment(0xC4, [0] + one + [0]) + segment(0xC4, [0x10] + one + [0xE0])
    bytes += scan(0, 0, 32768)
    for index in 0..<scans - 1 {
      let low = UInt8(13 - index / 63)
      let high = low == 13 ? 0 : low + 1
      bytes += scan(UInt8(index % 63 + 1), high << 4 | low, 30)
    }
    return bytes + [0xFF, 0xD9]
  }

  @Test func previewsOfTooManyScansAreNotDecoded() throws {
    let size = PixelSize(width: 512, height: 512)
    let preview = try #require(EmbeddedPreview(progressive(scans: 32)))
    #expect(preview.decode(maxSide: 512)?.size == size)
    let other = try #require(EmbeddedPreview(progressive(scans: 200)))
    #expect(other.decode(maxSide: 512) == nil)
  }

  @Test func limitsOfTheRawBoundPreviews() throws {
    let bytes = progressive(scans: 1)
    func isDecoded(_ limits: DecodeLimits) throws -> Bool {
      let preview = try #require(EmbeddedPreview(bytes, limits: limits))
      return preview.decode(maxSide: 512) != nil
    }
    #expect(try isDecoded(DecodeLimits(maxPixels: 1 << 24)))
    #expect(try !isDecoded(DecodeLimits(maxPixels: 1 << 24 - 1)))
    // Coefficients of all blocks, and the samples.
    let needed = 1 << 25 + 512 * 512 * 3
    #expect(try isDecoded(DecodeLimits(maxDecodeBytes: needed)))
    #expect(try !isDecoded(DecodeLimits(maxDecodeBytes: needed - 1)))
    #expect(try !isDecoded(DecodeLimits(maxItems: 3)))
  }
}
