import Foundation
import Rawdev

@main
struct DevelopRaw {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      print("usage: develop-raw RAW OUT.heic")
      exit(2)
    }
    var filter = try RAWFilter(url: URL(filePath: arguments[1]))
    print(filter.properties.model ?? "unknown camera", filter.nativeSize)
    for warning in filter.warnings { print("note:", warning) }

    filter.exposure = 0.5
    filter.extendedDynamicRangeAmount = 1

    let picture = try filter.rendition()
    let written = try HEIFWriter(.init(.heif, .bt2100HLG))
      .write(picture, metadata: filter.properties, to: .file(URL(filePath: arguments[2])))
    print("\(arguments[2]): \(written.byteCount) bytes, headroom \(picture.fileHeadroom)")
  }
}
