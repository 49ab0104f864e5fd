import Containers
import RawTestSupport
import Testing

@testable import RawDecode

@Suite struct DNGTagsTests {
  /// The name of the camera appears in reports and messages.
  @Test func longNamesAreCut() throws {
    var dng = TinyDNG()
    dng.fields[50708] = .text(String(repeating: "x", count: 100_000))
    dng.fields[50936] = .text(String(repeating: "y", count: 100_000))
    let info = try RawFile.open(bytes: Array(dng.data)).info
    #expect(info.cameraName == String(repeating: "x", count: 256) + "…")
    #expect(info.profiles.first?.name == String(repeating: "y", count: 256) + "…")
  }

  /// A profile with a truncated name is still the one selected by the camera.
  @Test func longNamesOfProfilesAreFound() throws {
    let name = String(repeating: "y", count: 1000)
    var dng = TinyDNG()
    dng.fields[50936] = .text("Embedded")
    dng.fields[50934] = .text(name)
    dng.profiles = [
      (bigEndian: false, fields: TinyDNG.colors.merging([50936: .text(name)]) { $1 })
    ]
    #expect(try RawFile.open(bytes: Array(dng.data)).info.defaultProfileIndex == 1)
  }

  /// A picture derived from a mosaic by Adobe's programs is developed, with a note.
  @Test func enhancedPicturesAreRead() throws {
    var dng = TinyDNG()
    dng.fields[254] = .longs([16])
    let info = try RawFile.open(bytes: Array(dng.data)).info
    #expect(info.warnings.contains { $0.contains("enhanced picture") })
  }

  /// An ActiveArea without pixels means the complete picture.
  @Test func emptyActiveAreasAreTheCompletePicture() throws {
    let full = try RawFile.open(bytes: Array(TinyDNG().data)).info.size
    var dng = TinyDNG()
    dng.fields[50829] = .longs([0, 0, 0, 0])
    #expect(try RawFile.open(bytes: Array(dng.data)).info.size == full)
  }

  /// A uniform BlackLevel applies even if its count does not match its pattern.
  @Test func blackLevelsWithoutTheirPattern() throws {
    var dng = TinyDNG()
    dng.fields[50714] = .longs([64, 64, 64, 64, 64])
    let info = try RawFile.open(bytes: Array(dng.data)).info
    #expect(info.warnings.allSatisfy { !$0.contains("BlackLevel") })
    dng.fields[50714] = .longs([64, 60, 64, 64, 61])
    let other = try RawFile.open(bytes: Array(dng.data)).info
    #expect(other.warnings.contains { $0.contains("BlackLevel") })
  }

  /// A calibration applies to a profile if both signatures have the same bytes.
  @Test func signaturesAreBytes() throws {
    func isCalibrated(_ own: String, _ profile: String) throws -> Bool {
      var dng = TinyDNG()
      dng.fields[50723] = .fractions([1, 0, 0, 0, 1, 0, 0, 0, 1])
      dng.fields[50931] = .text(own)
      dng.fields[50932] = .text(profile)
      let tiff = try #require(try TIFFFile(FileBytes(Array(dng.data))))
      let color = try DNGColor(profile: { tiff.first[$0] }, shared: { tiff.first[$0] })
      let calibration = try #require(color.calibrations.first)
      return !calibration.cameraCalibration.isEmpty
    }
    #expect(try isCalibrated("\u{E9}", "\u{E9}"))
    #expect(try !isCalibrated("\u{E9}", "e\u{301}"))
  }
}
