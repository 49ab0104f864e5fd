import Develop
import Foundation
import HDRRender
import ImageCore
import Readers
import Recipes
import TestSupport
import Testing

/// Composition of several pictures into one.
@Suite struct ComposerTests {
  private let scratch: TestFolder
  private let folder: URL
  init() throws {
    scratch = try TestFolder()
    folder = URL(fileURLWithPath: scratch.path)
  }

  private func developed(_ format: OutputFormat) throws -> String {
    let raw = try SmallRaw()
    var recipe = Recipe()
    recipe.output.format = format
    let path = folder.appendingPathComponent("in-\(format.rawValue).\(format.pathExtension)").path
    _ = try Developer(recipe: recipe, workers: 2).develop(raw.path, to: .replacing(path))
    return path
  }

  private func pixels(_ path: String) throws -> Image<DisplayReferred> {
    let linear = try StillImage(contentsOf: URL(fileURLWithPath: path)).linear(.high)
    func image(_ source: some PixelSource<DisplayReferred>) throws -> Image<DisplayReferred> {
      try Image(rendering: source, workers: 1)
    }
    return try image(linear)
  }

  private func composed(
    _ inputs: [String], _ format: OutputFormat, _ change: (inout Composer) -> Void = { _ in }
  ) throws -> (report: PictureReport, image: Image<DisplayReferred>) {
    var output = Recipe.Output()
    output.format = format
    let path = folder.appendingPathComponent("out.\(format.pathExtension)").path
    var composer = Composer(output: output, workers: 2)
    change(&composer)
    return (try composer.compose(inputs, to: .replacing(path)), try pixels(path))
  }

  /// HDR is preserved next to SDR, whose white is reference white; cells are at their positions.
  @Test func gridOfBothRanges() throws {
    let inputs = [try developed(.png), try developed(.pngSDR)]
    let (a, b) = (try pixels(inputs[0]), try pixels(inputs[1]))
    let result = try composed(inputs, .png) { $0.gap = 6 }
    #expect(result.image.size.width == 2 * a.size.width + 6)
    #expect(result.image.size.height == a.size.height)
    let toBT2020 = Primaries.displayP3.conversion(to: .bt2020)
    for (x, y) in [(3, 5), (a.size.width / 2, a.size.height / 2)] {
      #expect((result.image[x, y] - a[x, y]).max() < 0.001)
      let wanted = toBT2020 * SIMD3<Double>(b[x, y])
      let got = SIMD3<Double>(result.image[a.size.width + 6 + x, y])
      #expect((got - wanted).max() < 0.002 && (wanted - got).max() < 0.002, "\(got) \(wanted)")
    }
    #expect(result.image[a.size.width + 2, 5] == SIMD3(repeating: 0))
    #expect(result.report.inputs == inputs)
  }

  @Test func standardOutputsAreToneMapped() throws {
    let inputs = [try developed(.png), try developed(.pngSDR)]
    let result = try composed(inputs, .pngSDR) { $0.columns = 1 }
    #expect(result.report.contentHeadroom <= 1.001)
    #expect(result.report.height == 2 * (try pixels(inputs[0])).size.height)
  }

  @Test func overMixesInLinearLight() throws {
    let inputs = [try developed(.png), try developed(.tiffFloat)]
    let a = try pixels(inputs[0])
    let result = try composed(inputs, .png) {
      $0.layout = .over
      $0.offset = PixelPoint(x: 20, y: 10)
      $0.opacity = 0.25
    }
    #expect(result.image.size == a.size)
    #expect((result.image[5, 5] - a[5, 5]).max() < 0.001)
    let wanted = a[40, 30] * 0.75 + a[20, 20] * 0.25
    let difference = result.image[40, 30] - wanted
    #expect(max(difference.max(), -difference.min()) < 0.002, "\(difference)")
  }

  @Test func cellsReduce() throws {
    let input = try developed(.png)
    let result = try composed([input, input, input], .png) {
      $0.columns = 2
      $0.cell = PixelSize(width: 30, height: 30)
    }
    #expect(result.image.size == PixelSize(width: 60, height: 60))
  }

  /// The dynamic range of a mix is the highest of its sources.
  @Test func rangesOfFiles() throws {
    func range(_ format: OutputFormat) throws -> DynamicRangeMix {
      try StillImage(contentsOf: URL(fileURLWithPath: developed(format))).dynamicRange
    }
    #expect(try range(.pngSDR) == .sdr)
    #expect(try range(.png) == .hdr10)
    #expect(try range(.heifHLG).transfer == .hlg)
    #expect(try range(.jpegGainMap) == .pq)
    #expect(try range(.tiffFloat) == .pq)
  }

  @Test func nonsenseIsRefused() throws {
    let input = try developed(.png)
    for change: (inout Composer) -> Void in [
      { $0.columns = 0 }, { $0.gap = -1 }, { $0.cell = PixelSize(width: 0, height: 9) },
      { $0.cell = PixelSize(width: 1 << 30, height: 1 << 30) },
      {
        $0.layout = .over
        $0.opacity = 2
      },
    ] {
      #expect(throws: DevelopError.self) { try composed([input, input], .png, change) }
    }
    #expect(throws: DevelopError.self) { try composed([], .png) }
  }

  /// Decoded pictures together take no more memory than one may; small cells take less.
  @Test func manyPicturesFitIntoTheMemoryOfOne() throws {
    let inputs = [String](repeating: try developed(.pngSDR), count: 4)
    let pixels = SmallRaw.size.area
    func compose(_ cell: PixelSize?) -> DevelopError? {
      do {
        _ = try composed(inputs, .pngSDR) {
          $0.cell = cell
          $0.limits.maxDecodeBytes = 3 * pixels * 3
        }
        return nil
      } catch { return error as? DevelopError }
    }
    #expect(compose(nil)?.codeName == "tooLarge")
    #expect(compose(PixelSize(width: 20, height: 20)) == nil)
  }

  @Test func soManyPicturesThatTheStackEndsAreRefused() throws {
    let inputs = [String](repeating: try developed(.pngSDR), count: Composer.maxPictures + 1)
    let error = #expect(throws: DevelopError.self) { try composed(inputs, .pngSDR) }
    #expect(error?.codeName == "badSetting")
  }
}
