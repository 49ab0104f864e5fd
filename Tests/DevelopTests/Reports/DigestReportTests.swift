import Develop
import Foundation
import ImageCore
import RawFilter
import Recipes
import TestSupport
import Testing

@Suite struct DigestReportTests {
  private func report(
    _ raw: SmallRaw, workers: Int = 1, _ change: (inout Recipe) -> Void = { _ in }
  ) throws -> DigestReport {
    try DigestReport(path: raw.path, developer: Developer(workers: workers)) { _ in
      var recipe = Recipe()
      recipe.output.format = .tiffFloat
      change(&recipe)
      return recipe
    }
  }

  @Test func namesTheStagesAndTheirDigests() throws {
    let raw = try SmallRaw()
    let report = try report(raw)
    #expect(report.file == raw.path)
    #expect(report.size == [SmallRaw.size.width, SmallRaw.size.height])
    let names = report.stages.map(\.name)
    let known = MeasuredStage.allCases.map(\.rawValue)
    #expect(names.first == "decode" && names.last == "tone")
    #expect(names.allSatisfy(known.contains))
    #expect(report.stages.allSatisfy { $0.xxh64.count == 16 })
    #expect(report.table.split(separator: "\n").count == names.count)
    #expect(try self.report(raw, workers: 3).stages.map(\.xxh64) == report.stages.map(\.xxh64))
  }

  /// The settings are from the recipe, and the picture is its first output.
  @Test func developsByTheRecipe() throws {
    let raw = try SmallRaw()
    let plain = try report(raw).stages
    let colored = try report(raw) { $0.raw.look.saturation = 0.5 }.stages
    let first = zip(plain, colored).first { $0.xxh64 != $1.xxh64 }
    #expect(first?.0.name == "tone" && first?.1.name == "look")
    let standard = try report(raw) { $0.output.format = .jpeg }.stages
    #expect(standard.last?.xxh64 != plain.last?.xxh64)
    #expect(standard.first?.xxh64 == plain.first?.xxh64)
  }

  @Test func namesTheFileThatCannotBeOpened() {
    #expect(throws: DevelopError.self) {
      try DigestReport(path: "/none.dng", developer: Developer()) { _ in Recipe() }
    }
  }
}
