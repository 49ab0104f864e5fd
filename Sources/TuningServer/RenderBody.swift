import ImageCore
import RawFilter
import Recipes
import Tuning

/// The body of a request for a picture.
struct RenderBody: Decodable, Sendable {
  var own: [String: RecipeValue]?
  var part: [Int]?
  var fit: [Int]
  var form: TuningRequest.Form?
  var isHDR: Bool?
  var stopsDown: Float?
  var isWideGamut: Bool?
  var overlays: [TuningRequest.Overlay]?
  var isUncropped: Bool?
  var allowsDraft: Bool?
  var viewer: String?

  /// Maximum side of a rendered picture, pixels, and maximum number of its pixels.
  private static let (longestSide, maxPixels) = (16_384, 64 << 20)

  /// The request at the settings of `recipe`. Throws where a number is outside its range.
  func request(_ recipe: Recipe) throws(RequestRefusal) -> TuningRequest {
    let sides = 1...Self.longestSide
    guard fit.count == 2, fit.allSatisfy(sides.contains), fit[0] * fit[1] <= Self.maxPixels else {
      throw .badRequest("fit takes two sides of 1 to \(Self.longestSide) pixels, 64 Mi in all")
    }
    var request = TuningRequest(
      settings: recipe.raw, fit: PixelSize(width: fit[0], height: fit[1]))
    request.headroomLimit = recipe.render.headroomLimit
    if let part {
      let numbers = 0...PixelSize.largestSide
      guard part.count == 4, part.allSatisfy(numbers.contains), part[2] > 0, part[3] > 0 else {
        throw .badRequest("part takes x, y, width and height in pixels of the finished picture")
      }
      request.part = PixelRect(x: part[0], y: part[1], width: part[2], height: part[3])
    }
    if let stopsDown {
      guard (0...4).contains(stopsDown) else {
        throw .badRequest("stopsDown is \(stopsDown); it takes 0 to 4")
      }
      request.stopsDown = stopsDown
    }
    request.form = form ?? .rgba8
    request.isHDR = isHDR ?? false
    request.isWideGamut = isWideGamut ?? false
    request.overlays = Set(overlays ?? [])
    request.isUncropped = isUncropped ?? false
    request.allowsDraft = allowsDraft ?? false
    return request
  }

  /// What shows the result. Throws for a name that is too long.
  func viewerName() throws(RequestRefusal) -> String {
    let name = viewer ?? "main"
    guard name.utf8.count <= 64 else { throw .badRequest("viewer is longer than 64 bytes") }
    return name
  }
}
