import ImageCore
import RawTestSupport
import SyntheticRaw
import TestSupport
import Testing

@testable import Containers
@testable import RawDecode

@Suite struct FujifilmRawDecoderTests {
  /// The camera samples are decoded by this decoder, and LibRaw gives the same samples and levels.
  @Test func samplesAndLevelsMatchTheOtherDecoder() throws {
    let samples = CameraSample.all.filter {
      [.rafCompressed, .rafLossy].contains($0.raw.coding)
        && $0.decoders.contains(LibRawVersion.installed.minor)
    }
    #expect(samples.count >= 2)
    for sample in samples {
      let file = try RawFile.open(bytes: sample.busy().written().bytes)
      #expect(file.isFujifilmRaw, "\(sample)")
      try matchesOther(file, "\(sample)")
    }
  }

  private func matchesOther(_ file: RawFile, _ name: String) throws {
    let data = try file.decode()
    let other = try file.decode(by: .libRaw)
    #expect(data.size == other.size && data.allCounts == other.allCounts, "\(name)")
    #expect(data.levels == other.levels, "\(name)")
  }

  /// Widths of full and partial strips, all bit depths, both mosaics, a single group of rows; equal
  /// to LibRaw.
  @Test(arguments: [true, false], [12, 14, 16])
  func everySizeIsExact(_ isXTrans: Bool, _ bits: Int) throws {
    for (width, height) in [(768, 6), (792, 12), (1536, 18), (1560, 24), (1512, 60)] {
      let sample = try FujifilmSample(
        isXTrans: isXTrans, bits: bits, width: width, height: height, seed: UInt64(width))
      #expect(sample.written.samples == sample.raw.samples)
      #expect(try sample.decode(sample.written.bytes) == sample.raw.samples, "\(width)×\(height)")
      // LibRaw opens no smaller files.
      guard height >= 24 else { continue }
      let file = try RawFile.open(bytes: sample.written.bytes)
      #expect(file.isFujifilmRaw)
      #expect(try file.decode().allCounts == sample.visible, "\(width)×\(height)")
      try matchesOther(file, "\(width)×\(height)")
    }
  }

  /// Lossy samples equal the description of the coding, for bases 0 to 7 and 40.
  @Test(arguments: [true, false], [12, 14, 16])
  func lossySamplesAreThoseDescribed(_ isXTrans: Bool, _ bits: Int) throws {
    for (width, height) in [(768, 6), (1560, 150)] {
      let sample = try FujifilmSample(
        .rafLossy, isXTrans: isXTrans, bits: bits, width: width, height: height)
      #expect(sample.written.samples != sample.raw.samples)
      #expect(
        try sample.decode(sample.written.bytes) == sample.written.samples, "\(width)×\(height)")
    }
  }

  @Test func workersDoNotMatter() throws {
    let sample = try FujifilmSample(width: 1560, height: 24)
    let file = try RawFile.open(bytes: sample.written.bytes)
    let one = try file.decode(workers: 1).allCounts
    #expect(one == sample.visible)
    for workers in [2, 3, 8] { #expect(try file.decode(workers: workers).allCounts == one) }
  }

  /// Margins are cropped; they give the black level if the file declares none, as with LibRaw.
  @Test(arguments: [true, false], [0, 64])
  func bordersTellBlack(_ isXTrans: Bool, _ black: UInt16) throws {
    let sample = try FujifilmSample(
      isXTrans: isXTrans, width: 792, height: 120, border: 24, black: black)
    let file = try RawFile.open(bytes: sample.written.bytes)
    #expect(file.isFujifilmRaw && file.info.size == sample.raw.area.size)
    let data = try file.decode()
    #expect(data.allCounts == sample.visible)
    #expect(Set(data.levels.black) == [black == 0 ? 42 : 64])
    try matchesOther(file, "border")
  }

  /// Uncompressed RAFs are left to LibRaw.
  @Test func othersAreLeftToLibRaw() throws {
    for sample in CameraSample.all
    where [.rafUncompressed, .rafPacked14].contains(sample.raw.coding) {
      #expect(try !RawFile.open(bytes: sample.busy().written().bytes).isFujifilmRaw)
    }
  }
}
