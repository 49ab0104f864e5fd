import Foundation
import ImageCore
import Recipes
import Testing

@testable import Develop

/// Reports describe the written picture in the same keys of one object.
@Suite struct WrittenPictureTests {
  private func picture(remedies: [Remedy] = []) -> WrittenPicture {
    var picture = WrittenPicture(
      dng: "a.dng", DNGChoice(), isVerified: true, size: PixelSize(width: 6, height: 4),
      bytes: 99, warnings: ["dark"], remedies: remedies, since: .now)
    picture.contents = [1, 2]
    return picture
  }

  private func keys(_ report: some Encodable) throws -> Set<String> {
    let object = try JSONSerialization.jsonObject(with: JSONEncoder.ofLines().encode(report))
    return Set((object as? [String: Any] ?? [:]).keys)
  }

  private static let common: Set<String> = [
    "output", "format", "coding", "width", "height", "bytes", "contentHeadroom",
    "contentAverageLightLevel", "maxCLL", "maxFALL", "warnings", "seconds",
  ]

  @Test func reportsAreOneObject() throws {
    let developed = DevelopReport(input: "a.raw", name: "web", picture())
    #expect(
      try keys(developed)
        == Self.common.union([
          "input", "name", "fileHeadroom", "extendedDynamicRangeAmount", "baselineExposure",
        ]))
    #expect(
      try keys(PictureReport(inputs: ["a"], picture())) == Self.common.union(["inputs"]))
    let dng = DNGConverter.Report(
      input: "a.raw", picture(), compression: .losslessJPEG, inputBytes: 9, inputMD5: "",
      isVerified: true, wasUpToDate: false)
    #expect(
      try keys(dng)
        == Self.common.union([
          "input", "compression", "inputBytes", "inputMD5", "isVerified", "wasUpToDate",
        ]))
    #expect(try keys(picture(remedies: [.allowTime])) == Self.common.union(["remedies"]))
  }

  @Test func reportsAreReadAgain() throws {
    var report = DevelopReport(input: "a.raw", name: "web", picture(remedies: [.allowTime]))
    report.isolation = "none"
    let again = try JSONDecoder.ofLines().decode(
      DevelopReport.self, from: JSONEncoder.ofLines().encode(report))
    // The file's own bytes are in no report.
    report.written.contents = nil
    #expect(again.written == report.written && again.name == "web" && again.input == "a.raw")
  }

  @Test func whatWasWrittenIsSaidOfTheReport() {
    var report = PictureReport(inputs: ["a"], picture())
    #expect(report.output == "a.dng" && report.width == 6 && report.height == 4)
    #expect(report.coding.hasSuffix(", verified") && report.format == "dng")
    report.output = "b.dng"
    #expect(report.written.output == "b.dng")
  }
}
