import BracketMerge
import Foundation
import ImageCore
import SyntheticRaw
import TestSupport
import Testing

@testable import Develop

@Suite struct DeveloperMergingTests {
  private static func folder() throws -> (TestFolder, [String]) {
    let folder = try TestFolder()
    let bracket = ExposureBracket(size: PixelSize(width: 180, height: 120))
    for index in 0..<bracket.count {
      try folder.write(bracket.file(index).bytes, to: "\(index).dng")
    }
    return (folder, (0..<bracket.count).map { folder.file("\($0).dng") })
  }

  @Test func theMergedPictureIsDevelopedLikeARaw() throws {
    let (folder, paths) = try Self.folder()
    let members = try Developer.openBracket(paths)
    #expect(try Developer.reference(of: members).name == paths[1])
    let merged = try Developer.merged(members, by: BracketMerge())
    let alone = try Developer.open(paths[1])
    let output = folder.file("out.heic")
    let report = try Developer().develop(
      merged.filter, named: paths[1], to: ["main": .replacing(output)])[0]
    let single = try Developer().develop(
      alone, named: paths[1], to: ["main": .replacing(folder.file("one.heic"))])[0]
    #expect(report.fileHeadroom > 1.5 * single.fileHeadroom)
    #expect(report.width == 180 && report.height == 120)
    // The result has the report of develop and the bracket.
    let json = try JSONSerialization.jsonObject(
      with: JSONEncoder().encode(MergeReport(report, merged.report)))
    let fields = try #require(json as? [String: Any])
    #expect(fields["output"] as? String == output)
    let frames = try #require((fields["bracket"] as? [String: Any])?["frames"] as? [[String: Any]])
    #expect(frames.count == 3 && frames.allSatisfy { $0["placement"] != nil })
  }

  /// Before any is opened.
  @Test func framesAreCounted() {
    let paths = [String](repeating: "/missing.dng", count: BracketMerge.maxFrames + 1)
    let error = #expect(throws: DevelopError.self) { try Developer.openBracket(paths) }
    #expect(error?.description.contains("128") == true)
  }

  @Test func whatCannotBeOpenedIsNamed() throws {
    let (folder, paths) = try Self.folder()
    try folder.write(Array("no raw".utf8), to: "text.dng")
    let error = #expect(throws: DevelopError.self) {
      try Developer.openBracket(paths + [folder.file("text.dng")])
    }
    #expect(error?.description.contains("text.dng") == true)
  }
}
