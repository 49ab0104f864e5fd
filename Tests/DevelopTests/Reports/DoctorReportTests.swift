import Develop
import Foundation
import RawTestSupport
import TestSupport
import Testing

@Suite struct DoctorReportTests {
  private func outcomes(_ report: DoctorReport) -> [String: DoctorReport.Check.Outcome] {
    Dictionary(report.checks.map { ($0.name, $0.outcome) }, uniquingKeysWith: { a, _ in a })
  }

  @Test func aSimulatedRawIsSound() throws {
    let raw = try SmallRaw()
    let report = DoctorReport(path: raw.path)
    #expect(report.isSound, "\(report.paragraph)")
    let outcomes = outcomes(report)
    for name in ["opens", "pixels", "levels", "black", "white balance", "colors"] {
      #expect(outcomes[name] == .passed, "\(name)")
    }
    #expect(outcomes["preview"] == .skipped)
    #expect(!report.paragraph.contains("\n") && report.paragraph.contains("sound."))
    let again = try JSONDecoder().decode(DoctorReport.self, from: JSONEncoder().encode(report))
    #expect(again.checks == report.checks)
  }

  @Test func whatDoesNotOpenIsNotSound() throws {
    let files = try TestFolder()
    try files.write("no raw", to: "x.dng")
    let report = DoctorReport(path: files.file("x.dng"))
    #expect(!report.isSound && report.checks.count == 1 && report.checks[0].name == "opens")
    #expect(!report.isDevelopable && report.paragraph.contains("CANNOT BE DEVELOPED"))
  }

  /// Pictures of real cameras agree with their previews; under another name the colors are a
  /// relative's, and with red and blue exchanged they disagree with the preview.
  @Test(arguments: ["canon30d_IMG_0848.CR2", "canonG10_plant_window.cr2"])
  func realRawsAreSound(_ name: String) throws {
    let report = DoctorReport(path: try SharedFiles.path("raws/" + name))
    print(report.paragraph)
    #expect(report.isSound && outcomes(report)["preview"] == .passed)
  }

  @Test func borrowedColorsAreDoubtful() throws {
    let raw = try SharedFiles.bytes("raws/canon30d_IMG_0848.CR2")
    let files = try TestFolder()
    try files.write(RenamedRaw.canon30D(raw, as: "Canon EOS R9X"), to: "x.cr2")
    let report = DoctorReport(path: files.file("x.cr2"))
    #expect(report.isDevelopable && report.doubts == ["colors"], "\(report.paragraph)")
  }
}
