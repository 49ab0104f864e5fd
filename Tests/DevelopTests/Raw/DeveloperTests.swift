import Develop
import Foundation
import ImageCore
import RawFilter
import Recipes
import Synchronization
import TestSupport
import Testing

@Suite struct DeveloperTests {
  private static func recipe(_ format: OutputFormat) -> Recipe {
    var recipe = Recipe()
    recipe.output.format = format
    return recipe
  }

  /// Largest and mean largest channel, computed here.
  private static func levels(_ image: Image<DisplayReferred>) -> (peak: Float, mean: Double) {
    var (peak, sum) = (Float(0), 0.0)
    for y in 0..<image.size.height {
      for x in 0..<image.size.width {
        let top = max(0, image[x, y].max())
        peak = max(peak, top)
        sum += Double(top)
      }
    }
    return (peak, sum / Double(image.size.area))
  }

  @Test(arguments: OutputFormat.allCases.filter(\.isDeveloped))
  func reportSaysWhatWasWritten(format: OutputFormat) throws {
    let raw = try SmallRaw()
    let output = raw.file("out." + format.pathExtension)
    let recipe = Self.recipe(format)
    let report = try Developer(recipe: recipe).develop(raw.path, to: .replacing(output))
    let bytes = try #require(FileManager.default.contents(atPath: output)).count
    #expect(report.bytes == bytes && bytes > 1000)
    #expect(report.input == raw.path && report.output == output)
    #expect(report.format == format.rawValue)
    #expect(report.width == SmallRaw.size.width && report.height == SmallRaw.size.height)
    #expect(report.extendedDynamicRangeAmount == (recipe.output.isHDR ? 1 : 0))
    #expect(abs(report.baselineExposure - 1.5) < 1e-6)
    #expect(report.warnings.isEmpty && report.seconds > 0)
    #expect(raw.names == ["out." + format.pathExtension, "small.dng"])

    var filter = try RAWFilter(url: URL(fileURLWithPath: raw.path))
    filter.settings = recipe.settings(for: recipe.output)
    filter.outputPrimaries = recipe.output.primaries
    let picture = try filter.outputImage()
    let levels = Self.levels(picture.image)
    #expect(report.contentHeadroom == levels.peak)
    #expect(abs(Double(report.contentAverageLightLevel) / levels.mean - 1) < 1e-5)
    #expect(report.maxCLL == Int((Double(levels.peak) * 203).rounded()))
    #expect(report.maxFALL == Int((levels.mean * 203).rounded()))
    #expect(report.fileHeadroom == picture.fileHeadroom)
    #expect(recipe.output.isHDR ? levels.peak > 1.5 : levels.peak <= 1.000_01)
  }

  @Test func floatsInTheFileAreThePicture() throws {
    let raw = try SmallRaw(orientation: .right)
    var recipe = Self.recipe(.tiffFloat)
    recipe.output.tiffCompression = .none
    let output = raw.file("out.tif")
    let report = try Developer(recipe: recipe).develop(raw.path, to: .replacing(output))
    let file = try #require(PlainTIFF(output))
    #expect(file.width == SmallRaw.size.height && file.height == SmallRaw.size.width)
    #expect(file.samples.max() == report.contentHeadroom)
    var filter = try RAWFilter(url: URL(fileURLWithPath: raw.path))
    filter.settings = recipe.settings(for: recipe.output)
    let image = try filter.outputImage().image
    for y in 0..<file.height {
      for x in 0..<file.width {
        let at = 3 * (y * file.width + x)
        #expect(
          image[x, y] == SIMD3(file.samples[at], file.samples[at + 1], file.samples[at + 2]))
      }
    }
  }

  @Test func bytesDoNotDependOnTheWorkers() throws {
    let raw = try SmallRaw()
    for format in OutputFormat.allCases {
      let files = try [1, 3].map { workers in
        let output = raw.file("\(workers)." + format.pathExtension)
        _ = try Developer(recipe: Self.recipe(format), workers: workers)
          .develop(raw.path, to: .replacing(output))
        return try #require(FileManager.default.contents(atPath: output))
      }
      let isSame = files[0] == files[1]
      #expect(isSame, "\(format): \(files.map(\.count)) bytes")
    }
  }

  @Test func contentAboveHLGIsAWarning() throws {
    let raw = try SmallRaw(peak: 2.7)
    var recipe = Self.recipe(.heifHLG)
    recipe.raw.exposure = 2
    let report = try Developer(recipe: recipe).develop(
      raw.path, to: .replacing(raw.file("out.heic")))
    #expect(report.fileHeadroom > ReferenceWhite.hlgHeadroom)
    #expect(report.maxCLL <= 1000)
    #expect(report.warnings.contains { $0.contains("1000") })
  }

  @Test func progressRunsToTheEnd() throws {
    let raw = try SmallRaw()
    let fractions = Mutex<[Double]>([])
    let decoding = Mutex(0)
    _ = try Developer(recipe: Self.recipe(.tiff), workers: 1)
      .develop(raw.path, to: .replacing(raw.file("out.tif"))) { progress in
        switch progress {
        case .decoding: decoding.withLock { $0 += 1 }
        case .rendering(let fraction): fractions.withLock { $0.append(fraction) }
        }
      }
    let all = fractions.withLock { $0 }
    #expect(decoding.withLock { $0 } == 1)
    #expect(all.first == 0 && all.last == 1)
    #expect(all == all.sorted())
  }

  @Test(arguments: OutputFormat.allCases) func failureLeavesTheOldFile(format: OutputFormat) throws
  {
    let raw = try SmallRaw()
    let output = raw.file("out")
    try "old".write(toFile: output, atomically: false, encoding: .utf8)
    let bytes = try #require(FileManager.default.contents(atPath: raw.path))
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: raw.path))
    let error = #expect(throws: DevelopError.self) {
      try Developer(recipe: Self.recipe(format)).develop(raw.path, to: .replacing(output))
    }
    #expect(error?.codeName == RAWError.Code.damaged.rawValue)
    #expect("\(try #require(error))".contains("small.dng"))
    #expect("\(try #require(error))".contains("\n") == false)
    #expect(FileManager.default.contents(atPath: output) == Data("old".utf8))
    #expect(raw.names == ["out", "small.dng"])
  }

  @Test(arguments: OutputFormat.allCases) func refusedOutputsLeaveNothing(format: OutputFormat)
    throws
  {
    let raw = try SmallRaw()
    let developer = Developer(recipe: Self.recipe(format))
    for output in [raw.file("none/out.heic"), raw.folder] {
      let error = #expect(throws: DevelopError.self) {
        try developer.develop(raw.path, to: .replacing(output))
      }
      guard case .write = error else {
        Issue.record("\(String(describing: error)) is no failure to write")
        continue
      }
      #expect(error?.description.contains(output) == true)
    }
    #expect(raw.names == ["small.dng"])
  }

  @Test func missingRawIsNamed() throws {
    let error = #expect(throws: DevelopError.self) {
      try Developer().develop("/nowhere/x.dng", to: .replacing(NSTemporaryDirectory() + "x.heic"))
    }
    #expect(error?.codeName == RAWError.Code.cannotRead.rawValue)
    #expect(error?.description.contains("/nowhere/x.dng") == true)
  }
}
