import Develop
import Foundation
import HDRRender
import ImageCore
import ImageFilters
import Readers
import Recipes
import TestSupport
import Testing

/// Finished pictures in every format, converted to the others.
@Suite struct ConverterTests {
  private let scratch: TestFolder
  private let folder: URL
  init() throws {
    scratch = try TestFolder()
    folder = URL(fileURLWithPath: scratch.path)
  }

  private func developed(_ format: OutputFormat, quality: Float? = nil) throws -> String {
    let raw = try SmallRaw()
    var recipe = Recipe()
    recipe.output.format = format
    recipe.output.quality = quality
    let path = folder.appendingPathComponent("in-\(format.rawValue).\(format.pathExtension)").path
    _ = try Developer(recipe: recipe, workers: 2).develop(raw.path, to: .replacing(path))
    return path
  }

  private func converted(
    _ input: String, _ format: OutputFormat, headroom: Double? = nil,
    gainMap: Converter.GainMapPolicy = .keep, range: DisplayRendering.DynamicRange = .high,
    edits: [any ImageFilter] = [], hdrMetadata: HDRMetadata = HDRMetadata(),
    choice: GainMapChoice = GainMapChoice()
  ) throws -> (report: PictureReport, image: StillImage) {
    var output = Recipe.Output()
    output.format = format
    output.light = hdrMetadata
    output.gainMap = choice
    let path = folder.appendingPathComponent("out.\(format.pathExtension)").path
    var converter = Converter(output: output, headroom: headroom, gainMap: gainMap, workers: 2)
    converter.range = range
    converter.edits = edits
    let report = try converter.convert(input, to: .replacing(path))
    return (report, try StillImage(contentsOf: URL(fileURLWithPath: path)))
  }

  private func means(_ source: any PixelSource<DisplayReferred>) throws -> SIMD3<Double> {
    let buffer = try PlanarBuffer(size: source.size)
    try source.read(PixelRect(source.size), into: buffer)
    var sum = SIMD3<Double>()
    for plane in 0..<3 {
      for y in 0..<source.size.height {
        for x in 0..<source.size.width {
          buffer.withRow(plane, y) { sum[plane] += Double($0[x]) }
        }
      }
    }
    return sum / Double(source.size.area)
  }

  /// Luminances are preserved between all HDR formats, and metadata are right.
  @Test(arguments: [
    OutputFormat.heifPQ, .png, .pngHLG, .jxl, .tiffFloat, .heicGainMap, .jpegGainMap,
  ])
  func everyKindBecomesPQ(format: OutputFormat) throws {
    let path = try developed(format, quality: 1)
    let source = try StillImage(contentsOf: URL(fileURLWithPath: path))
    let result = try converted(path, .png)
    #expect(result.image.isHighDynamicRange && result.image.failedISOHDRRules.isEmpty)
    #expect(result.image.size == source.size)
    let linear = try source.linear(.high)
    let wanted = try means(linear)
    let got = try means(try result.image.linear(.high))
    let (a, b) = (
      wanted * linear.info.primaries.luminance, got * Primaries.bt2020.luminance
    )
    #expect(abs(a.sum() / b.sum() - 1) < 0.03, "\(a.sum()) \(b.sum())")
  }

  @Test func standardRangeIsToneMapped() throws {
    let result = try converted(try developed(.heifPQ), .jpeg)
    #expect(!result.image.isHighDynamicRange && result.image.gainMap == nil)
    #expect(result.report.contentHeadroom <= 1.001 && result.image.bitDepth == 8)
  }

  @Test func headroomIsAnUpperBound() throws {
    let path = try developed(.png)
    let result = try converted(path, .png, headroom: 1.5)
    #expect(result.report.contentHeadroom <= 1.51)
    #expect(try converted(path, .png).report.contentHeadroom > 1.6)
  }

  /// A gain map is preserved bit for bit in its JPEG, dropped, or rebuilt.
  @Test func gainMapsAreKeptDroppedOrRebuilt() throws {
    let path = try developed(.heicGainMap)
    let source = try #require(try StillImage(contentsOf: URL(fileURLWithPath: path)).gainMap)
    #expect(source.formats.contains(.iso) && source.formats.contains(.apple))
    let kept = try #require(try converted(path, .jpegGainMap).image.gainMap)
    #expect(kept.size == source.size && kept.formats == source.formats)
    #expect(abs(kept.headroom - source.headroom) < 0.01)
    let rebuilt = try #require(try converted(path, .jpegGainMap, gainMap: .rebuild).image.gainMap)
    #expect(abs(log2(rebuilt.headroom / source.headroom)) < 0.2)
    let dropped = try converted(path, .jpegGainMap, gainMap: .drop)
    #expect((dropped.image.gainMap?.headroom ?? 1) < 1.05)
  }

  /// Metadata of surroundings and display are preserved as long as the luminances are.
  @Test func hdrMetadataIsCarriedWhereItStillHolds() throws {
    var metadata = HDRMetadata()
    metadata.ambient = .init(lux: 64, color: .d65)
    metadata.diffuseWhiteNits = 203
    let p3 = Primaries.displayP3.chromaticities
    metadata.masteringDisplay = .init(
      red: p3.red, green: p3.green, blue: p3.blue, white: .d65, maximumNits: 1600,
      minimumNits: 0.01)
    let first = try converted(try developed(.heifPQ), .heifPQ, hdrMetadata: metadata).image
      .hdrMetadata
    #expect(first.ambient == metadata.ambient && first.diffuseWhiteNits == 203)
    #expect(first.masteringDisplay == metadata.masteringDisplay)
    let path = folder.appendingPathComponent("out.heic").path
    let source = folder.appendingPathComponent("source.heic").path
    try FileManager.default.moveItem(atPath: path, toPath: source)
    let same = try converted(source, .heifPQ).image.hdrMetadata
    #expect(same.ambient == metadata.ambient && same.masteringDisplay == metadata.masteringDisplay)
    let other = try converted(source, .heifHLG).image.hdrMetadata
    #expect(other.ambient == metadata.ambient && other.masteringDisplay?.maximumNits == 1000)
    let mapped = try converted(source, .heifPQ, headroom: 1.5).image.hdrMetadata
    #expect(mapped.ambient == nil && mapped.masteringDisplay != metadata.masteringDisplay)
  }

  @Test func rangesAreOrdered() throws {
    let path = try developed(.png)
    let high = try converted(path, .png).report.contentHeadroom
    let standard = try converted(path, .png, range: .standard).report.contentHeadroom
    let clamped = try converted(path, .png, headroom: 1.5, range: .clamped).report.contentHeadroom
    #expect(standard <= 1.001 && high > 1.6 && abs(clamped - 1.5) < 0.01)
  }

  /// A preserved map is reported like a new one: by the HDR rendition. Range and primaries describe
  /// the written file.
  @Test func reportsDescribeTheFile() throws {
    let path = try developed(.heicGainMap)
    let kept = try converted(path, .jpegGainMap)
    let made = try converted(path, .jpegGainMap, gainMap: .rebuild)
    #expect(kept.report.contentHeadroom > 1.6)
    #expect(abs(log2(kept.report.contentHeadroom / made.report.contentHeadroom)) < 0.1)
    #expect(kept.report.coding == "SDR with a gain map, Display P3")
    #expect(try converted(path, .png).report.coding == "PQ HDR, BT.2020")
    #expect(try converted(path, .tiffFloat).report.coding == "linear HDR, BT.2020")
    let plain = try converted(path, .jpegGainMap, gainMap: .drop)
    #expect(plain.report.format == "jpeg-sdr" && plain.report.coding == "SDR, Display P3")
    #expect(plain.report.warnings.count == 1 && plain.image.gainMap == nil)
  }

  /// Base and map are cropped and reduced together, and the map stays at half the size.
  @Test func editsActOnBaseAndMap() throws {
    let path = try developed(.heicGainMap)
    let whole = try StillImage(contentsOf: URL(fileURLWithPath: path))
    let rect = PixelRect(
      x: 8, y: 4, width: whole.size.width / 2 & ~1, height: whole.size.height / 2 & ~1)
    let result = try converted(path, .jpegGainMap, edits: [CropFilter(rect)])
    #expect(result.image.size == rect.size)
    let map = try #require(result.image.gainMap)
    #expect(map.size == PixelSize(width: rect.width / 2, height: rect.height / 2))
    let got = try means(try result.image.linear(.high))
    let wanted = try means(try whole.linear(.high).edited(by: CropFilter(rect)))
    for plane in 0..<3 { #expect(abs(log2(got[plane] / wanted[plane])) < 0.03) }
    let darker = try converted(path, .png, edits: [ExposureFilter(stops: -1)])
    let full = try converted(path, .png).report.contentHeadroom
    #expect(abs(log2(full / darker.report.contentHeadroom) - 1) < 0.05)
  }

  /// Maps of one and three channels, of half and full size, with an SDR or an HDR base: all give
  /// the same luminances.
  @Test(arguments: [OutputFormat.heicGainMap, .avifGainMap])
  func gainMapsOfEveryKind(format: OutputFormat) throws {
    let path = try developed(.png)
    let source = try StillImage(contentsOf: URL(fileURLWithPath: path))
    let wanted = try means(try source.linear(.high)) * Primaries.bt2020.luminance
    for base in [GainMapChoice.Base.sdr, .pq] {
      for channels in [1, 3] {
        var choice = GainMapChoice()
        (choice.base, choice.channels) = (base, channels)
        choice.scale = channels == 3 ? .full : .half
        let image = try converted(path, format, choice: choice).image
        let map = try #require(image.gainMap)
        #expect(map.channels == channels && image.isHighDynamicRange == (base == .pq))
        if channels == 3 { #expect(map.size == image.size) }
        let linear = try image.linear(.high)
        let got = try means(linear) * linear.info.primaries.luminance
        #expect(abs(log2(got.sum() / wanted.sum())) < 0.03, "\(base) \(channels)")
        #expect(
          try image.linear(.standard).lightStatistics().contentHeadroom < 1.02)
      }
    }
    var choice = GainMapChoice()
    choice.base = .pq
    #expect(throws: DevelopError.self) { try converted(path, .jpegGainMap, choice: choice) }
    choice.base = nil
    choice.channels = 2
    #expect(throws: DevelopError.self) { try converted(path, format, choice: choice) }
    choice.channels = 1
    #expect(throws: DevelopError.self) { try converted(path, .png, choice: choice) }
  }

  @Test func rawsAndNonsenseAreRefusedInOneLine() throws {
    let raw = try SmallRaw()
    let text = folder.appendingPathComponent("a.txt")
    try Data("no picture".utf8).write(to: text)
    for path in [raw.path, text.path, folder.appendingPathComponent("none.png").path] {
      do {
        _ = try converted(path, .png)
        Issue.record("\(path) was converted")
      } catch let error as DevelopError {
        #expect(!error.description.contains("\n") && error.description.contains(path))
      }
    }
  }

  /// A map whose pixels end early is left out, and decoding or describing it reports that.
  @Test func damagedMapsAreNoted() throws {
    let whole = [UInt8](
      try Data(contentsOf: URL(fileURLWithPath: try developed(.jpegGainMap))))
    let scan = try #require(
      whole.indices.dropFirst().last { whole[$0] == 0xDA && whole[$0 - 1] == 0xFF })
    let path = try scratch.write(Array(whole[..<((scan + whole.count) / 2)]), to: "cut.jpg")
    let note = "its gain map is damaged and was left out: "
    func isNoted(_ notes: [String]) -> Bool { notes.filter { $0.hasPrefix(note) }.count == 1 }
    #expect(try isNoted(converted(path, .png).report.warnings))
    #expect(try isNoted(converted(path, .png, edits: [OrientFilter(.down)]).report.warnings))
    #expect(try !isNoted(converted(path, .pngSDR, gainMap: .drop).report.warnings))
    #expect(try isNoted(IdentifyReport(path: path).notes))
    let small = try Thumbnailer(maxPixelSize: 32, workers: 1).write(
      path, to: .replacing(scratch.file("small.png")))
    #expect(isNoted(small.warnings))
    var output = Recipe.Output()
    output.format = .pngSDR
    let grid = try Composer(output: output, workers: 2).compose(
      [path, path], to: .replacing(scratch.file("grid.png")))
    #expect(grid.warnings.filter { $0.hasPrefix(note) }.count == 2)
  }
}
