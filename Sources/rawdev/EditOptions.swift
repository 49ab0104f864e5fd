import ArgumentParser
import Develop
import HDRRender
import ImageCore
import ImageFilters

/// Edits of a finished picture, in the order in which they are made.
struct EditOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Part to keep, in pixels of the upright picture.", valueName: "x,y,width,height"))
  var crop: NumberList?

  @Option(parsing: .unconditional, help: "Rotate clockwise, degrees: a multiple of 90.")
  var rotate: Int?

  @Option(help: "Longest side; smaller pictures stay as they are.")
  var maxSize: Int?

  @Option(help: ArgumentHelp("Exact size.", valueName: "width,height"))
  var size: NumberList?

  @Option(parsing: .unconditional, help: "Exposure, stops.")
  var exposure: Double?

  /// The edits that were asked for.
  var edits: [any ImageFilter] {
    get throws {
      do {
        var edits: [any ImageFilter] = []
        if let v = try whole(crop, "--crop", count: 4) {
          edits.append(
            try CropFilter(PixelRect(x: v[0], y: v[1], width: v[2], height: v[3])))
        }
        if let rotate {
          guard rotate % 90 == 0 else {
            throw ValidationError("--rotate takes 90, 180, 270 or -90")
          }
          edits.append(OrientFilter(quarterTurns: rotate / 90))
        }
        if let v = try whole(size, "--size", count: 2) {
          edits.append(try ResizeFilter(to: PixelSize(width: v[0], height: v[1])))
        }
        if let maxSize { edits.append(try ResizeFilter.thumbnail(maxPixelSize: maxSize)) }
        if let exposure { edits.append(try ExposureFilter(stops: exposure)) }
        return edits
      } catch let error as OperatorError {
        throw ValidationError("\(error)")
      }
    }
  }

  private func whole(_ list: NumberList?, _ name: String, count: Int) throws -> [Int]? {
    guard let list else { return nil }
    guard let whole = list.wholeNumbers(count) else {
      throw ValidationError("\(name) takes \(count) whole numbers with commas between them")
    }
    return whole
  }
}
