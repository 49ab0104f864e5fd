import Containers
import HDRRender
import ImageCore
import RawDecode

/// A look in a file of its own, recognized by its bytes: a HaldCLUT (PNG), else a `.cube` file.
enum LookFile {
  /// Longest file that is read.
  static let maxBytes = 64 << 20
  private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// Reads the file at `path` within `limits` and ``maxBytes``. Throws `.cannotRead`, `.damaged`,
  /// `.unsupported` or `.tooLarge`.
  static func read(
    _ path: String, limits: DecodeLimits = DecodeLimits()
  ) throws(RAWError) -> ColorLookup {
    do {
      let file = try FileBytes(path: path, limits: limits.limitingFiles(to: maxBytes))
      let isPNG = file.bytes(0, png.count) == png
      return try isPNG ? HaldCLUT.read(file) : CubeFile.read(file)
    } catch {
      let reason =
        switch error.code {
        case .cannotRead: "no look can be read there; name a .cube file or a HaldCLUT as lutPath"
        case .damaged where error.message.hasPrefix("the file is empty"):
          "the look is empty; export it again"
        default: error.message
        }
      throw RAWError(FormatError(error.code, reason, path: path), .open)
    }
  }
}
