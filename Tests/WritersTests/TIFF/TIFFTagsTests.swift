import Containers
import Formats
import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Writers

@Suite struct TIFFTagsTests {
  private let folder: TestFolder
  init() throws { folder = try TestFolder() }

  static let metadata: CaptureMetadata = {
    var m = CaptureMetadata()
    m[.image, 270] = .ascii("Größe")
    m[.image, 271] = .ascii("Maker")
    m[.image, 272] = .ascii("Model")
    m[.image, 305] = .ascii("camera firmware")
    m[.image, 306] = .ascii("2024:05:06 07:08:09")
    m[.image, 18246] = .shorts([5])
    m[.image, 0x9C9B] = .bytes([65, 0, 0, 0])
    m[.exif, 0x829A] = .rationals([Rational(1, 250)])
    m[.exif, 0x829D] = .rationals([Rational(28, 10)])
    m[.exif, 0x8827] = .shorts([200])
    m[.exif, 0x9204] = .signedRationals([SignedRational(-2, 6)])
    m[.exif, 0x9286] = .undefined(Array("ASCII\0\0\0odd".utf8))
    m[.exif, 0xA001] = .shorts([1])
    m[.exif, 0xA005] = .longs([4711])
    m[.exif, 0xA432] = .rationals([
      Rational(24, 1), Rational(70, 1), Rational(0, 0), Rational(.max, 1),
    ])
    m[.exif, 0xFDE8] = .ascii("not in any standard")
    m[.gps, 0] = .bytes([2, 3, 0, 0])
    m[.gps, 2] = .rationals([Rational(48, 1), Rational(51, 1), Rational(29_987, 1000)])
    return m
  }()

  private func file(
    _ space: ColorSpace, bits: Int = 16, xmp: [UInt8]? = nil, metadata: CaptureMetadata = metadata
  ) throws -> (TIFFFile, WrittenFile) {
    let written = try TIFFWriter(.init(.tiff, space, bits: bits)).write(
      FormulaPicture.noise(33, 70, primaries: space.primaries), metadata: metadata, xmp: xmp,
      to: .replacing(folder.file("a.tif")))
    return (try #require(TIFFFile(path: written.name)), written)
  }

  @Test func mainDirectoryDescribesPictureAndCapture() throws {
    let (tiff, written) = try file(.displayP3)
    let numbers = [
      256: [33], 257: [70], 258: [16, 16, 16], 259: [8], 262: [2], 274: [1], 277: [3], 278: [64],
      284: [1], 296: [2], 317: [2],
    ]
    for (tag, values) in numbers { #expect(tiff.main[tag]?.numbers == values, "tag \(tag)") }
    let texts = [
      270: "Größe", 271: "Maker", 272: "Model", 305: RawdevVersion.software,
      306: "2024:05:06 07:08:09",
    ]
    for (tag, text) in texts { #expect(tiff.main[tag]?.text == text, "tag \(tag)") }
    #expect(tiff.main[282]?.payload == [44, 1, 0, 0, 1, 0, 0, 0])
    #expect(tiff.main[34675]?.payload == (try ColorSpace.displayP3.iccProfile()))
    let xmp = String(decoding: tiff.main[700]?.payload ?? [], as: UTF8.self)
    #expect(xmp.contains("image/tiff") && xmp.contains("xmp:Rating=\"5\""))
    #expect(tiff.main[33723] == nil)
    #expect(written.notes.count == 1)
    #expect(written.notes.first?.contains("the Windows tag of the title") == true)
  }

  @Test func floatsAreSignalled() throws {
    let (tiff, _) = try file(.linearBT2020, bits: 32, xmp: Array("<given/>".utf8))
    #expect(tiff.main[258]?.numbers == [32, 32, 32])
    #expect(tiff.main[339]?.numbers == [3, 3, 3])
    #expect(tiff.main[317]?.numbers == [3])
    #expect(tiff.main[34675]?.payload == (try ColorSpace.linearBT2020.iccProfile()))
    #expect(tiff.main[700]?.payload == Array("<given/>".utf8))
  }

  @Test func exifAndGPSComeBackAsTheyWere() throws {
    let (tiff, _) = try file(.bt2100HLG)
    let exif = tiff.subdirectory(0x8769)
    func words(_ values: UInt32...) -> [UInt8] {
      values.flatMap { value in withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) } }
    }
    typealias Field = TIFFFile.Field
    #expect(exif[0x829A] == Field(type: 5, count: 1, payload: words(1, 250)))
    #expect(exif[0x829D] == Field(type: 5, count: 1, payload: words(28, 10)))
    #expect(exif[0x8827] == Field(type: 3, count: 1, payload: [200, 0]))
    #expect(
      exif[0x9204] == Field(type: 10, count: 1, payload: words(UInt32(bitPattern: -2), 6)))
    #expect(exif[0x9286] == Field(type: 7, count: 11, payload: Array("ASCII\0\0\0odd".utf8)))
    #expect(
      exif[0xA432]
        == Field(type: 5, count: 4, payload: words(24, 1, 70, 1, 0, 0, .max, 1)))
    #expect(exif[0xFDE8]?.text == "not in any standard")
    #expect(exif[0x9000]?.payload == Array("0232".utf8))
    #expect(exif[0xA001]?.numbers == [0xFFFF])
    #expect(exif[0xA002]?.numbers == [33])
    #expect(exif[0xA003]?.numbers == [70])
    #expect(exif[0xA005] == nil)
    let gps = tiff.subdirectory(0x8825)
    #expect(gps[0]?.payload == [2, 3, 0, 0])
    #expect(gps[2] == Field(type: 5, count: 3, payload: words(48, 1, 51, 1, 29_987, 1000)))
  }

  @Test func nothingKnownWritesNoDirectories() throws {
    let (tiff, written) = try file(.sRGB, metadata: CaptureMetadata())
    #expect(tiff.main[0x8769] == nil)
    #expect(tiff.main[0x8825] == nil)
    let xmp = String(decoding: tiff.main[700]?.payload ?? [], as: UTF8.self)
    #expect(xmp.contains("rawdev"))
    #expect(written.notes.isEmpty)
  }

  /// The source's datasets come back with the values of its XMP, and a maker note where its
  /// offsets are right.
  @Test func whatTheSourceHasBesidesExif() throws {
    var metadata = Self.metadata
    metadata.iptc =
      IPTCDataset(2, 25, Array("one".utf8)).bytes + IPTCDataset(2, 105, Array("head".utf8)).bytes
    metadata.makerNote = .init(bytes: Array("FUJIFILM note".utf8), placement: .anywhere)
    let (tiff, written) = try file(.displayP3, metadata: metadata)
    let datasets = IPTCDataset.all(in: tiff.main[33723]?.payload ?? [])
    #expect(datasets.contains(IPTCDataset(2, 25, Array("one".utf8))))
    #expect(datasets.contains(IPTCDataset(2, 105, Array("head".utf8))))
    #expect(tiff.subdirectory(0x8769)[0x927C]?.payload == Array("FUJIFILM note".utf8))
    #expect(written.notes.count == 1)
    metadata.makerNote?.placement = .at(900, bigEndian: true)
    let (other, notes) = try file(.displayP3, metadata: metadata)
    #expect(other.subdirectory(0x8769)[0x927C] == nil && notes.notes.count == 2)
  }

  /// Offsets in a note of Canon's count from the beginning of the file.
  @Test(arguments: [8, 900, 901, 60_000]) func placedNotes(offset: Int) throws {
    var metadata = Self.metadata
    let bytes = (0..<333).map { UInt8(truncatingIfNeeded: $0 * 7) }
    metadata.makerNote = .init(bytes: bytes, placement: .at(offset, bigEndian: false))
    let written = try file(.displayP3, metadata: metadata).1
    let tiff = try #require(
      try Containers.TIFFFile(FileBytes(path: folder.file("a.tif"))))
    let entry = try #require(tiff.directory(.exif)?[AppleMakerNote.tag])
    #expect(entry.bytes == bytes && entry.offset == offset)
    #expect(!tiff.pointsOutside && !written.notes.contains { $0.contains("maker note") })
  }

  /// BigTIFF is for pictures of 4 GB; its directories are checked as bytes.
  @Test func bigDirectoryHasWideNumbers() throws {
    let fields = TIFFTags.fields([
      ExifEntry(.exif, 0x829A, .rationals([Rational(1, 250)])),
      ExifEntry(.exif, 0x8827, .shorts([1, 2, 3, 4, 5])),
    ])
    #expect(
      TIFFDirectoryWriter(isBig: true).bytes(fields, at: 16) == [
        2, 0, 0, 0, 0, 0, 0, 0,  //
        0x9A, 0x82, 5, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 250, 0, 0, 0,  //
        0x27, 0x88, 3, 0, 5, 0, 0, 0, 0, 0, 0, 0, 72, 0, 0, 0, 0, 0, 0, 0,  //
        0, 0, 0, 0, 0, 0, 0, 0,  //
        1, 0, 2, 0, 3, 0, 4, 0, 5, 0,
      ])
  }
}
