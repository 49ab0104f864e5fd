import Develop
import Formats
import Foundation
import HDRRender
import ImageCore
import ImageFilters
import RawFilter
import Readers
import Recipes
import TestSupport
import Testing

/// Several outputs of one raw, cropped and with a limited headroom.
@Suite struct DeveloperOutputsTests {
  private func developed(
    _ raw: SmallRaw, _ recipe: Recipe, sample: PictureSample? = nil
  ) throws -> [DevelopReport] {
    let paths = Dictionary(
      uniqueKeysWithValues: recipe.outputs.map {
        (
          $0.key,
          OutputDestination.replacing(raw.file("\($0.key).\($0.value.format.pathExtension)"))
        )
      })
    return try Developer(recipe: recipe).develop(
      try Developer.open(raw.path), named: raw.path, to: paths, sample: sample)
  }

  private func output(_ change: (inout Recipe.Output) -> Void) -> Recipe.Output {
    var output = Recipe.Output()
    output.format = .tiffFloat
    output.tiffCompression = .none
    change(&output)
    return output
  }

  /// Under any replacement policy: the second would replace the first.
  @Test func twoOutputsHaveTwoFiles() throws {
    let raw = try SmallRaw()
    var recipe = Recipe()
    recipe.outputs = ["a": output { _ in }, "b": output { $0.maxSize = 40 }]
    let error = #expect(throws: DevelopError.self) {
      try Developer(recipe: recipe).develop(
        try Developer.open(raw.path), named: raw.path,
        to: ["a": .replacing(raw.file("x.tif")), "b": .replacing(raw.file("./x.tif"))])
    }
    #expect(error?.codeName == "badSetting" && raw.names == ["small.dng"])
  }

  @Test func eachOutputIsThatOfARecipeOfItsOwn() throws {
    let raw = try SmallRaw()
    var recipe = Recipe()
    recipe.outputs = [
      "hdr": output { _ in }, "sdr": output { $0.format = .pngSDR },
      "small": output { $0.maxSize = 40 },
    ]
    let reports = try developed(raw, recipe)
    #expect(reports.map(\.name) == ["hdr", "sdr", "small"])
    #expect(reports.map(\.extendedDynamicRangeAmount) == [1, 0, 1])
    #expect(max(reports[2].width, reports[2].height) == 40)
    for report in reports {
      let bytes = FileManager.default.contents(atPath: report.output)
      let alone = raw.file("alone." + (report.output as NSString).pathExtension)
      _ = try Developer(recipe: Recipe(try #require(recipe.outputs[report.name])))
        .develop(raw.path, to: .replacing(alone))
      let isSame = FileManager.default.contents(atPath: alone) == bytes
      #expect(isSame, "\(report.name) differs")
    }
  }

  /// Keeping the picture in memory for both renditions of a gain map and for outputs of one size
  /// changes no byte.
  @Test func keepingPicturesChangesNothing() throws {
    let raw = try SmallRaw(peak: 2.7)
    var recipe = Recipe()
    recipe.outputs = [
      "hdr": output { _ in }, "map": output { $0.format = .jpegGainMap },
      "small": output { ($0.format, $0.maxSize) = (.jpegGainMap, 30) },
    ]
    let files = try [true, false].map { keeps in
      var developer = Developer(recipe: recipe)
      developer.keepsPictures = keeps
      let reports = try developer.develop(
        try Developer.open(raw.path), named: raw.path,
        to: [
          "hdr": raw.file("\(keeps).tif"), "map": raw.file("\(keeps).jpg"),
          "small": raw.file("\(keeps)-small.jpg"),
        ].mapValues { .replacing($0) })
      return reports.map { FileManager.default.contents(atPath: $0.output) }
    }
    #expect(files[0].count == 3 && files[0] == files[1])
  }

  @Test func luminanceStaysBelowTheLimit() throws {
    let raw = try SmallRaw(peak: 2.7)
    var recipe = Recipe()
    recipe.raw.exposure = 1
    recipe.outputs = [
      "all": output { _ in }, "two": output { $0.headroomLimit = 2 },
      "white": output { $0.headroomLimit = 1 },
    ]
    let headrooms = try developed(raw, recipe).map(\.contentHeadroom)
    #expect(headrooms[0] > 2.5)
    #expect(headrooms[1] <= 2.001 && headrooms[1] > 1.8)
    #expect(headrooms[2] <= 1.001)
    recipe.render.headroomLimit = 1.5
    #expect(try developed(raw, recipe).map(\.contentHeadroom).max() ?? 9 <= 1.501)
  }

  @Test func cropIsThePartOfTheWhole() throws {
    let raw = try SmallRaw(orientation: .right)
    var recipe = Recipe(output { _ in })
    let whole = try #require(PlainTIFF(try developed(raw, recipe)[0].output))
    recipe.raw.frame.crop = CropArea(edges: [0.25, 0.5, 0.75, 1])
    let part = try #require(PlainTIFF(try developed(raw, recipe)[0].output))
    let (left, top) = (Int((Double(whole.width) * 0.25).rounded()), whole.height / 2)
    #expect(part.width == Int((Double(whole.width) * 0.5).rounded()))
    #expect(part.height == whole.height - top)
    var differences = 0
    for y in 0..<part.height {
      for x in 0..<part.width
      where
        part.samples[3 * (y * part.width + x)]
        != whole.samples[3 * ((y + top) * whole.width + x + left)]
      { differences += 1 }
    }
    #expect(differences == 0)
  }

  @Test func metadataFollowsItsPolicy() throws {
    let raw = try SmallRaw()
    func metadata(_ policy: MetadataPolicy) throws -> CaptureMetadata {
      var recipe = Recipe(output { $0.metadata = policy })
      recipe.output.format = .jpeg
      let report = try developed(raw, recipe)[0]
      return try StillImage(contentsOf: URL(fileURLWithPath: report.output)).metadata
    }
    let all = try metadata(.all)
    #expect(all.location != nil && all.model != nil)
    let placeless = try metadata(.noLocation)
    #expect(placeless.location == nil && placeless.lens == all.lens && all.lens != nil)
    #expect(!placeless.entries.contains { $0.directory == .gps })
    let minimal = try metadata(.minimal)
    #expect(minimal.model == all.model && minimal.location == nil)
    #expect(minimal.entries.count < placeless.entries.count)
    let none = try metadata(.none)
    #expect(none.model == nil && none.dateTimeOriginal == nil)
  }

  @Test func aSampleIsThePicture() throws {
    let raw = try SmallRaw(peak: 2.7)
    let sample = PictureSample(side: 4096)
    #expect(sample.statistics == nil)
    let report = try developed(raw, Recipe(output { _ in }), sample: sample)[0]
    let file = try #require(PlainTIFF(report.output))
    let statistics = try #require(sample.statistics)
    // Each of the 64 bins is rounded.
    #expect(abs(statistics.histogram.reduce(0, +) - 100_000) <= 32)
    let pixels = stride(from: 0, to: file.samples.count, by: 3).map {
      max(file.samples[$0], file.samples[$0 + 1], file.samples[$0 + 2])
    }
    let above = Double(pixels.count { $0 > 1 }) / Double(pixels.count)
    #expect(statistics.aboveWhiteShare == Float(above) && above > 0.1)
    let black = Double(pixels.count { $0 <= 0 }) / Double(pixels.count)
    #expect(statistics.blackShare == Float(black))
    let small = try #require(try sample.thumbnail(side: 48))
    let path = raw.file("small.jpg")
    try Data(small).write(to: URL(fileURLWithPath: path))
    let still = try StillImage(contentsOf: URL(fileURLWithPath: path))
    #expect(max(still.format.size.width, still.format.size.height) == 48)
  }

  @Test func aSampleDoesNotDependOnTheOrderOfReading() throws {
    let raw = try SmallRaw()
    let samples = try [1, 3].map { workers in
      let sample = PictureSample(side: 32)
      _ = try Developer(recipe: Recipe(output { _ in }), workers: workers).develop(
        try Developer.open(raw.path), named: raw.path,
        to: [Recipe.onlyOutput: .replacing(raw.file("x.tif"))], sample: sample)
      return sample
    }
    #expect(samples[0].statistics == samples[1].statistics)
    #expect(try samples[0].thumbnail(side: 16) == samples[1].thumbnail(side: 16))
  }
}
