import Develop
import Foundation
import ImageCore
import ImageFilters
import RawFilter
import Recipes
import TestSupport
import Testing

@testable import Tuning

/// At 100 % the displayed picture is the developed one, bit for bit.
struct FullSizeTests {
  /// The codes of the PNG that the raw is developed to.
  private static func developed(
    _ scene: TuningScene, _ settings: RAWSettings, _ space: ColorSpace
  ) throws -> (codes: [UInt8], size: PixelSize) {
    var output = Recipe.Output()
    (output.format, output.colorSpace, output.sdrBits) = (.pngSDR, space, 8)
    var recipe = Recipe(output)
    recipe.raw = settings
    let path = scene.folder.file("developed.png")
    _ = try Developer(recipe: recipe).develop(scene.path, to: .replacing(path))
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let picture = try PNGPixels(bytes)
    return (picture.rgb, picture.size)
  }

  private static let settings: [(String, RAWSettings)] = {
    func with(_ change: (inout RAWSettings) -> Void) -> RAWSettings {
      var settings = RAWSettings()
      change(&settings)
      return settings
    }
    return [
      ("default", RAWSettings()),
      ("headroom rolled off", with { $0.extendedDynamicRangeAmount = 0.7 }),
      (
        "all kinds",
        with {
          ($0.exposure, $0.contrastAmount, $0.localToneMapAmount) = (0.4, 0.3, 0.4)
          $0.neutral = .temperature(kelvin: 5100, tint: 8)
          ($0.look.vibrance, $0.look.grain.amount, $0.look.vignette.amount) = (0.4, 0.5, -0.3)
        }
      ),
      (
        "framed",
        with {
          ($0.frame.straightenAngle, $0.frame.verticalPerspective) = (3, 5)
          $0.orientation = .right
        }
      ),
      ("linear", with { $0.boostAmount = 0 }),
    ]
  }()

  @Test(arguments: settings.indices)
  func showsWhatIsDeveloped(_ index: Int) async throws {
    let (name, settings) = Self.settings[index]
    let scene = try TuningScene(noise: 1e-4, pixels: TuningScene.busy)
    let session = try scene.session()
    for isWide in [false, true] {
      let truth = try Self.developed(scene, settings, isWide ? .displayP3 : .sRGB)
      var request = TuningRequest.full(settings)
      request.isWideGamut = isWide
      let full = try await session.picture(request, viewer: "main")
      #expect(full.size == truth.size && full.finishedSize == truth.size, "\(name)")
      let rgb = full.bytes.indices.filter { $0 % 4 != 3 }.map { full.bytes[$0] }
      let isEqual = rgb == truth.codes
      #expect(isEqual, "\(name), wide: \(isWide)")
      #expect(stride(from: 3, to: full.bytes.count, by: 4).allSatisfy { full.bytes[$0] == 255 })
      // A part is the same pixels, wherever it lies.
      for part in [
        PixelRect(x: 0, y: 0, width: 61, height: 40),
        PixelRect(x: 133, y: 77, width: 120, height: 90),
        PixelRect(x: truth.size.width - 50, y: truth.size.height - 30, width: 90, height: 90),
      ] {
        request.part = part
        let visible = try await session.picture(request, viewer: "main")
        #expect(visible.part == part.intersection(PixelRect(truth.size)))
        for y in 0..<visible.size.height {
          let from = 4 * ((visible.part.y + y) * truth.size.width + visible.part.x)
          let row = visible.bytes[(4 * y * visible.size.width)..<(4 * (y + 1) * visible.size.width)]
          #expect(row.elementsEqual(full.bytes[from..<from + 4 * visible.size.width]), "\(name)")
        }
      }
    }
  }

  @Test func aReducedPictureHasTheMeansOfTheFullOne() async throws {
    let scene = try TuningScene(
      PixelSize(width: 960, height: 640), pixels: { TuningScene.busy($0 / 2, $1 / 2) })
    let session = try scene.session()
    let full = try await session.picture(.full(), viewer: "main")
    for side in [700, 400, 200] {
      var request = TuningRequest.full()
      request.fit = PixelSize(width: side, height: side)
      let fitted = try await session.picture(request, viewer: "main")
      #expect(fitted.size.width == side)
      #expect(fitted.size.height <= side && fitted.finishedSize == full.size)
      func mean(_ picture: TuningPicture, _ column: Int, _ row: Int) -> SIMD3<Double> {
        let (w, h) = (picture.size.width, picture.size.height)
        var (sum, count) = (SIMD3<Double>(), 0.0)
        for y in h * row / 6..<h * (row + 1) / 6 {
          for x in w * column / 8..<w * (column + 1) / 8 {
            let code = SIMD3<Double>(picture[x, y])
            sum += SIMD3(code.x, code.y, code.z)
            count += 1
          }
        }
        return sum / count / 255
      }
      for row in 0..<6 {
        for column in 0..<8 {
          let difference = mean(fitted, column, row) - mean(full, column, row)
          #expect(max(difference.max(), -difference.min()) < 0.02, "\(side): \(column), \(row)")
        }
      }
    }
  }

  @Test func aPartLargerThanItsViewIsReduced() async throws {
    let scene = try TuningScene(pixels: TuningScene.busy)
    let session = try scene.session()
    var request = TuningRequest.full()
    request.part = PixelRect(x: 100, y: 60, width: 300, height: 200)
    request.fit = PixelSize(width: 150, height: 100)
    let visible = try await session.picture(request, viewer: "main")
    #expect(visible.size == request.fit && visible.part == request.part)
    for part in [
      PixelRect(x: 480, y: 0, width: 10, height: 10),
      PixelRect(x: .max, y: 5, width: .max, height: 9),
      PixelRect(x: 5, y: .min, width: 9, height: 9), PixelRect(x: 0, y: 0, width: -4, height: 3),
    ] {
      request.part = part
      await #expect(throws: RAWError.self) { try await session.picture(request, viewer: "main") }
    }
    request.part = PixelRect(x: -5, y: -7, width: .max, height: .max)
    #expect(try await session.picture(request, viewer: "main").part == PixelRect(scene.size))
  }

  @Test func uncroppedIsTheFullPicture() async throws {
    let scene = try TuningScene(pixels: TuningScene.busy)
    let session = try scene.session()
    var settings = RAWSettings()
    (settings.frame.straightenAngle, settings.frame.crop) = (4, try CropArea("20%,10%,50%,50%"))
    var request = TuningRequest.full(settings)
    #expect(try await session.picture(request, viewer: "a").size != scene.size)
    request.isUncropped = true
    let uncropped = try await session.picture(request, viewer: "a")
    let isEqual = uncropped.bytes == (try await session.picture(.full(), viewer: "a")).bytes
    #expect(isEqual)
  }
}
