import Develop
import Foundation
import RawFilter
import Recipes
import SystemPackage
import TestSupport
import Testing

@testable import Batch

/// The keys that decide what is up to date.
@Suite struct SourcePlannerTests {
  @Test func keysDependOnTheBytesOfProfiles() throws {
    let folder = try TestFolder()
    let source = RawSource(path: folder.at("a.CR2"), relativePath: "a.CR2")
    func key(_ yaml: String) throws -> String {
      let resolver = try RecipeResolver(recipes: [try RecipeDocument(text: yaml)])
      let plan = try SourcePlanner(RecipePlanner(resolver, workingFolder: folder.root)).plan(
        source, .made())
      return plan.outputs.key(source: .made(), recipe: plan.canonical, engine: "1")
    }
    try folder.write("profile", to: "look.dcp")
    let first = try key("raw: {profilePath: look.dcp}")
    #expect(try key("raw: {profilePath: look.dcp}") == first)
    #expect(try key("{}") != first)
    try folder.write("profilE", to: "look.dcp")
    #expect(try key("raw: {profilePath: look.dcp}") != first)
    try folder.remove("look.dcp")
    #expect(throws: BatchError.self) { try key("raw: {profilePath: look.dcp}") }
  }

  /// The entry of the source counts, and neither other entries nor the bytes of the file.
  @Test func keysDependOnTheEntryOfTheSeries() throws {
    let folder = try TestFolder()
    let source = RawSource(path: folder.at("a.CR2"), relativePath: "a.CR2")
    func key(_ light: [Double], _ outputs: String = "{a: {format: jpeg-sdr}}") throws -> String {
      let document = try RecipeDocument(text: "{raw: {series: s.json}, outputs: \(outputs)}")
      let planner = SourcePlanner(
        RecipePlanner(
          try RecipeResolver(recipes: [document]), workingFolder: folder.root))
      var info = SourceInfo.made()
      info.series = SeriesFrame(camera: "A", light: light, isFlash: false)
      return try planner.plan(source, info).canonical
    }
    func write(_ exposures: [Float]) throws {
      var file = SeriesFile()
      file.entries = exposures.enumerated().map { index, stops in
        SeriesEntry(
          SeriesKey(
            SeriesFrame(camera: "A", light: [Double(index), 0], isFlash: false), RAWSettings(),
            colorMatrix: nil), source: "", SeriesFindings(exposure: stops))
      }
      _ = try folder.write(try file.bytes, to: "s.json")
    }
    let none = try key([0, 0])
    try write([0.5, 1])
    let first = try key([0, 0])
    #expect(first != none)
    #expect(try key([0.1, -0.1]) == first && key([1, 0]) != first)
    try write([0.5, 2, 3])
    #expect(try key([0, 0]) == first)
    try write([0.25, 2, 3])
    #expect(try key([0, 0]) != first)
    // No DNG depends on it.
    let dng = "{a: {format: dng}}"
    let before = try key([0, 0], dng)
    try write([1])
    #expect(try key([0, 0], dng) == before)
    _ = try folder.write("{", to: "s.json")
    let error = #expect(throws: BatchError.self) { try key([0, 0]) }
    #expect(error.map { "\($0)".contains(folder.file("s.json")) } == true)
  }

  /// A batch of only DNGs is not repeated for properties on which no DNG depends.
  @Test func keysOfDNGsDependOnWhatIsInThem() throws {
    let folder = try TestFolder()
    let source = RawSource(path: folder.at("a.CR2"), relativePath: "a.CR2")
    func key(_ raw: String, _ outputs: String) throws -> String {
      let text = "{raw: \(raw), outputs: \(outputs)}"
      let resolver = try RecipeResolver(recipes: [try RecipeDocument(text: text)])
      let plan = try SourcePlanner(RecipePlanner(resolver, workingFolder: folder.root)).plan(
        source, .made())
      return plan.outputs.key(source: .made(), recipe: plan.canonical, engine: "1")
    }
    let dng = "{a: {format: dng}}"
    #expect(try key("{exposure: 1}", dng) == key("{}", dng))
    #expect(try key("{}", "{a: {format: dng, dng: {compression: none}}}") != key("{}", dng))
    let both = "{a: {format: dng}, b: {format: jpeg-sdr}}"
    #expect(try key("{exposure: 1}", both) != key("{}", both))
    let scene = "{a: {format: dng, dng: {samples: scene}}}"
    #expect(try key("{exposure: 1}", scene) == key("{}", scene))
    #expect(try key("{despeckleAmount: 0.5}", scene) != key("{}", scene))
  }

  @Test func aPlannerThatForgetsReadsTheProfileAgain() throws {
    // As in --watch, where one planner lives for days.
    let folder = try TestFolder()
    let source = RawSource(path: folder.at("a.CR2"), relativePath: "a.CR2")
    try folder.write("profile", to: "look.dcp")
    let document = try RecipeDocument(text: "raw: {profilePath: look.dcp}")
    let planner = SourcePlanner(
      RecipePlanner(try RecipeResolver(recipes: [document]), workingFolder: folder.root))
    let first = try planner.plan(source, .made()).canonical
    try folder.write("profilE", to: "look.dcp")
    planner.forget()
    #expect(try planner.plan(source, .made()).canonical != first)
  }

  /// A sidecar may name a file of any length; it is not read.
  @Test func longFilesCountByLengthAndTime() throws {
    let folder = try TestFolder()
    let source = RawSource(path: folder.at("a.CR2"), relativePath: "a.CR2")
    func canonical() throws -> String {
      let resolver = try RecipeResolver(
        recipes: [try RecipeDocument(text: "raw: {lutPath: l.cube}")])
      return try SourcePlanner(RecipePlanner(resolver, workingFolder: folder.root))
        .plan(source, .made()).canonical
    }
    let path = try folder.write("", to: "l.cube")
    #expect(truncate(path, 64 << 30) == 0)
    let first = try canonical()
    #expect(first.contains("\(64 << 30) bytes"))
    #expect(try canonical() == first)
    TestFolder.date(FilePath(path), nanoseconds: 1_600_000_000_000_000_000)
    #expect(try canonical() != first)
  }
}
