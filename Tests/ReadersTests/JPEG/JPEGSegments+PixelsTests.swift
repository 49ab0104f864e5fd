import Containers
import ImageCore
import Testing

@testable import Readers

/// What is odd but harmless is decoded as if it were not there; behind and beside it damage is
/// refused.
@Suite struct JPEGSegmentsPixelsTests {
  private let end = JPEGDamage.end

  private func samples(_ bytes: [UInt8]) throws -> [UInt8]? { try JPEGDamage.samples(bytes) }

  private func isRefused(_ bytes: [UInt8]) throws -> Bool { try JPEGDamage.isRefused(bytes) }

  private func odd(_ jpeg: [UInt8]) throws -> [[UInt8]] {
    var version = jpeg
    try #require(version[6...].starts(with: Array("JFIF".utf8)))
    version[11] = 2
    let adobe = TestJPEG.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 7])
    // Without JFIF's segment, beside which Adobe's is not looked at.
    let transform = TestJPEG.with([adobe], Array(jpeg[..<2] + jpeg[20...]))
    let table = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDB })
    var stray = jpeg
    stray.insert(contentsOf: [1, 2, 0, 3], at: table)
    return [version, transform, stray]
  }

  @Test(arguments: [false, true])
  func odditiesAloneAreHarmless(progressive: Bool) throws {
    let jpeg = try TestJPEG.ramps(64, 48, progressive: progressive)
    let sound = try #require(try samples(jpeg))
    for file in try odd(jpeg) { #expect(try samples(file) == sound) }
    for padding in [1, 7, 100, 5000] {
      for filler in [UInt8(0), 0xFF] {
        let padded = Array(jpeg.dropLast(2)) + [UInt8](repeating: filler, count: padding)
        #expect(try samples(padded) == sound)
        #expect(try samples(padded + [0xFF, 0xD9]) == sound)
      }
    }
  }

  /// The decoder names its first complaint alone, which is of the header.
  @Test(arguments: [false, true])
  func damageBehindAnOddityIsRefused(progressive: Bool) throws {
    let jpeg = try TestJPEG.ramps(256, 256, progressive: progressive)
    for file in try odd(jpeg) {
      for fraction in [2, 4, 9] {
        #expect(try samples(Array(file.dropLast(file.count / 10 * fraction))) == nil)
      }
    }
  }

  /// Bytes that are left over when the picture is full are what a flipped bit leaves.
  @Test func bytesThatAreLeftOverAreDamage() throws {
    let jpeg = try TestJPEG.ramps(64, 48)
    let codes = [[UInt8]](repeating: [0x5A, 0xA5], count: 20).joined()
    #expect(try isRefused(Array(jpeg.dropLast(2)) + codes + end))
    let large = try TestJPEG.ramps(256, 256)
    let refused = try JPEGDamage.flipped(large).filter { try isRefused($0) }
    #expect(refused.count > 5)
  }

  /// `jpeg` with `numbers` at the end of its first scan's header.
  private func scanning(_ numbers: [UInt8], _ jpeg: [UInt8]) throws -> [UInt8] {
    let header = try #require(JPEGSegments(FileBytes(jpeg))?.scan)
    var odd = jpeg
    odd.replaceSubrange(header.upperBound - 3..<header.upperBound, with: numbers)
    return odd
  }

  /// Some phones write anything where a sequential picture has all coefficients in any case.
  @Test(arguments: [[0, 0, 0], [0, 64, 0], [1, 63, 0], [255, 255, 255]] as [[UInt8]])
  func sequentialScansOfSomeCoefficients(numbers: [UInt8]) throws {
    for components in [1, 3] {
      let jpeg = try TestJPEG.ramps(128, 128, components: components)
      try JPEGDamage.checkHarmless(jpeg) { try scanning(numbers, $0) }
    }
  }

  /// Other sequential pictures have a scan for each component.
  @Test func sequentialScansOfOneComponent() throws {
    let side = TestJPEG.bigEndian(64, 2)
    let components: [UInt8] = [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
    let table = TestJPEG.segment(0xDB, [0] + [UInt8](repeating: 16, count: 64))
    // A single code each, 0: no difference, and the end of the block.
    let one = [UInt8(1)] + [UInt8](repeating: 0, count: 15)
    func file(_ scans: [UInt8], numbers: [UInt8] = [0, 63, 0]) -> [UInt8] {
      var bytes: [UInt8] = [0xFF, 0xD8] + table
      bytes += TestJPEG.segment(0xC0, [8] + side + side + components)
      bytes += TestJPEG.segment(0xC4, [0] + one + [0])
      bytes += TestJPEG.segment(0xC4, [0x10] + one + [0])
      for id in scans {
        bytes += TestJPEG.segment(0xDA, [1, id, 0] + numbers) + [UInt8](repeating: 0, count: 16)
      }
      return bytes
    }
    let sound = try #require(try samples(file([1, 2, 3]) + end))
    #expect(try samples(file([1, 2, 3])) == sound)
    #expect(try samples(file([1, 2, 3], numbers: [0, 0, 0]) + end) == sound)
    #expect(try isRefused(file([1, 2])))
    #expect(try isRefused(file([1, 2], numbers: [0, 0, 0]) + end))
  }

  /// Cameras and scanners put a line of text or line breaks between codes and end marker.
  @Test(
    arguments: [
      "Camera 07 2024-05-06 07:08:09\r\n", "\r\n\r\n\r\n\r\n\r\n\r\n", "Brother MFC\0\0\0\0\0",
    ], [false, true])
  func textBehindTheCodes(text: String, progressive: Bool) throws {
    let jpeg = try TestJPEG.ramps(128, 128, progressive: progressive)
    try JPEGDamage.checkHarmless(jpeg) { Array($0.dropLast(2)) + text.utf8 + end }
    try JPEGDamage.checkHarmless(jpeg) { Array($0.dropLast(2)) + text.utf8 }
  }

  /// The decoder may have enough of them for all of the picture, and name those that are left over
  /// as it names padding.
  @Test(arguments: [false, true])
  func zerosAndTextInPlaceOfCodes(progressive: Bool) throws {
    let jpeg = try TestJPEG.ramps(256, 256, progressive: progressive)
    for filler in [[0], Array("Camera 07 2024-05-06\r\n".utf8)] as [[UInt8]] {
      for fraction in [2, 4, 9] {
        let lost = jpeg.count / 10 * fraction
        let filled = (0..<lost).map { filler[$0 % filler.count] }
        #expect(try isRefused(Array(jpeg.dropLast(lost)) + filled))
        #expect(try isRefused(Array(jpeg.dropLast(lost)) + filled + end))
      }
    }
  }

  /// The rest is a coarser picture, which the decoder accepts.
  @Test func picturesThatAreCutBetweenScans() throws {
    let jpeg = try TestJPEG.ramps(128, 128, progressive: true)
    let scan = try #require(JPEGSegments(FileBytes(jpeg))?.scan)
    let markers = (scan.upperBound..<jpeg.count - 2).filter {
      jpeg[$0] == 0xFF && [0xC4, 0xDA].contains(jpeg[$0 + 1])
    }
    #expect(markers.count > 5)
    for marker in markers { #expect(try isRefused(Array(jpeg[..<marker]))) }
  }

  /// In arithmetic coding decoders take all that is cut off for zeros, without a word.
  @Test func arithmeticCodingNeedsItsEnd() throws {
    let side = TestJPEG.bigEndian(64, 2)
    var jpeg: [UInt8] = [0xFF, 0xD8]
    jpeg += TestJPEG.segment(0xDB, [0] + [UInt8](repeating: 16, count: 64))
    jpeg += TestJPEG.segment(0xC9, [8] + side + side + [1, 1, 0x11, 0])
    jpeg += TestJPEG.segment(0xDA, [1, 1, 0, 0, 63, 0])
    jpeg += (0..<40).map { UInt8(($0 * 37 + 11) % 251) }
    #expect(try !isRefused(jpeg + end))
    #expect(try isRefused(Array(jpeg.dropLast(20))))
    let odd = TestJPEG.segment(0xE0, Array("JFIF\0".utf8) + [2, 0, 0, 0, 1, 0, 1, 0, 0])
    #expect(try !isRefused(TestJPEG.with([odd], jpeg + end)))
    #expect(try isRefused(TestJPEG.with([odd], Array(jpeg.dropLast(20)))))
  }
}
