import ImageCore
import Recipes
import SystemPackage
import Testing

@testable import Batch
@testable import Develop

@Suite struct BracketGroupsTests {
  /// A raw taken `at` seconds after ten.
  private func candidate(
    _ name: String, at seconds: Double, _ time: Double, bias: Double? = nil,
    isBracketed: Bool = false, model: String = "SR-1", fNumber: Double = 8
  ) -> BracketGroups.Candidate {
    let integer = Int(seconds)
    let path = FilePath("/raws").appending(name)
    var metadata = CaptureMetadata(entries: [
      ExifEntry(.exif, 0x829A, .rationals([Rational(UInt32(time * 1e6), 1_000_000)])),
      ExifEntry(.exif, 0x829D, .rationals([Rational(UInt32(fNumber * 10), 10)])),
      ExifEntry(.exif, 0x9291, .ascii("\(Int(((seconds - Double(integer)) * 100).rounded()))")),
    ])
    if let bias {
      metadata[.exif, 0x9204] = .signedRationals([SignedRational(Int32(bias * 10), 10)])
    }
    if isBracketed { metadata[.exif, 0xA402] = .shorts([2]) }
    let info = SourceInfo(
      xxh128: "", make: "rawdev", model: model, lens: nil, iso: 100,
      date: "2026:06:21 10:0\(integer / 60):\(integer % 60 < 10 ? "0" : "")\(integer % 60)",
      orientation: 1, profiles: [], pixels: 24_000_000, aspect: 1.5, hasLensCorrections: false,
      exposure: ExposureInfo(metadata))
    return BracketGroups.Candidate(
      RawSource(path: path, relativePath: FilePath(root: nil, path.components.suffix(1))), info)
  }

  private func names(_ candidates: [BracketGroups.Candidate]) -> [[String]] {
    BracketGroups.groups(of: candidates).map { $0.map { $0.source.relativePath.string } }
  }

  @Test func framesOfTheCamerasBracketBelongTogether() {
    let shots = [1.0, 0.25, 4].enumerated().map {
      candidate("\($0.offset)", at: 0.2 * Double($0.offset), $0.element / 100, isBracketed: true)
    }
    #expect(names(shots.reversed()) == [["0", "1", "2"]])
  }

  @Test func bracketsThatFollowEachOtherAreTwo() {
    let shots = [1.0, 0.25, 4, 1, 0.25, 4].enumerated().map {
      candidate("\($0.offset)", at: 0.2 * Double($0.offset), $0.element / 100, isBracketed: true)
    }
    #expect(names(shots) == [["0", "1", "2"], ["3", "4", "5"]])
  }

  @Test func biasesTellWhereTheCameraDoesNot() {
    let shots = [(1.0, 0.0), (0.7, -0.5), (1.4, 0.5)].enumerated().map {
      candidate("\($0.offset)", at: Double($0.offset), $0.element.0 / 100, bias: $0.element.1)
    }
    #expect(names(shots) == [["0", "1", "2"]])
  }

  @Test func plainPicturesStayAlone() {
    // Small difference of exposure; far apart in time; another aperture or camera.
    #expect(names([candidate("a", at: 0, 0.01), candidate("b", at: 1, 0.0125)]).isEmpty)
    #expect(names([candidate("a", at: 0, 0.01), candidate("b", at: 9, 0.04)]).isEmpty)
    #expect(
      names([candidate("a", at: 0, 0.01), candidate("b", at: 1, 0.04, fNumber: 4)]).isEmpty)
    #expect(
      names([candidate("a", at: 0, 0.01), candidate("b", at: 1, 0.04, model: "B")]).isEmpty)
    #expect(names([candidate("a", at: 0, 0.01)]).isEmpty)
    #expect(names([candidate("a", at: 0, 0.01), candidate("b", at: 1, 0.04)]) == [["a", "b"]])
  }

  @Test func longExposuresAreNoGap() {
    let shots = [(0.0, 1.0), (1.2, 4), (5.5, 16)].enumerated().map {
      candidate("\($0.offset)", at: $0.element.0, $0.element.1)
    }
    #expect(names(shots) == [["0", "1", "2"]])
  }

  @Test func theReferenceStandsForItsFrames() throws {
    let shots = [1.0, 0.25, 4].enumerated().map {
      candidate("\($0.offset)", at: Double($0.offset), $0.element / 100)
    }
    let other = candidate("x", at: 60, 0.01)
    let joined = BracketGroups.joined((shots + [other]).map(\.source), shots + [other])
    #expect(joined.map(\.relativePath.string) == ["0", "x"])
    #expect(joined[0].frames.map { $0.lastComponent?.string } == ["1", "0", "2"])
    #expect(joined[1].frames.isEmpty)
  }

  /// Settings of their own are lost in a bracket.
  @Test func sourcesWithRecipesStayAlone() {
    var shots = [1.0, 4].enumerated().map {
      candidate("\($0.offset)", at: Double($0.offset), $0.element / 100)
    }
    shots[0].source.recipe = .named("hdr")
    #expect(names(shots).isEmpty)
  }
}
