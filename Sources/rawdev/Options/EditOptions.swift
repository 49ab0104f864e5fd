import ArgumentParser
import Develop
import HDRRender
import ImageCore
import ImageFilters

/// Edits of a finished picture, in the order in which they are applied; the maximum size of the
/// output is applied last.
struct EditOptions: ParsableArguments {
  @OptionGroup var frame: FrameOptions

  @Option(parsing: .unconditional, help: "Turn clockwise, degrees: a multiple of 90.")
  var rotate: Int?

  @Option(help: ArgumentHelp("Exact size.", valueName: "width,height"))
  var size: NumberList?

  @Option(parsing: .unconditional, help: "Exposure, stops.")
  var exposure: Double?

  /// The edits that were asked for, as filters.
  var filters: [any ImageFilter] {
    get throws {
      do { return try edits.map { try $0.filter() } } catch let error as OperatorError {
        throw ValidationError("\(error)")
      }
    }
  }

  /// The edits that were asked for.
  var edits: [PictureEdit] {
    get throws {
      var edits: [PictureEdit] = []
      if let area = frame.crop { edits.append(.crop(area)) }
      if let degrees = frame.straighten { edits.append(.straighten(degrees: degrees)) }
      if let rotate {
        guard rotate % 90 == 0 else { throw ValidationError("--rotate takes 90, 180, 270 or -90") }
        edits.append(.turn(quarters: rotate / 90))
      }
      if let size {
        edits.append(.resize(try size.pixelSize("--size")))
      }
      if let exposure { edits.append(.exposure(stops: exposure)) }
      return edits
    }
  }
}
