import Containers
import HDRRender
import ImageCore
import RawDecode

/// A LUT or camera look in a file, recognized by its bytes: a camera look (`.rawlook`), a HaldCLUT
/// (PNG), else a `.cube` file.
enum LUTFile {
  /// The contents of a file.
  struct Contents: Sendable {
    let table: ColorLookup
    /// Whether it is a camera look, which replaces the base rendering; signals of Display P3.
    let isCameraLook: Bool
  }

  private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// Reads the file at `path` within `limits` and ``FormatLimits/blockBytes``. Throws
  /// `.cannotRead`, `.damaged`, `.unsupported` or `.tooLarge`.
  static func read(
    _ path: String, limits: DecodeLimits = DecodeLimits()
  ) throws(RAWError) -> Contents {
    let file: FileBytes
    do {
      file = try FileBytes(path: path, limits: limits.limitingFiles(to: FormatLimits.blockBytes))
    } catch {
      let reason =
        switch error.code {
        case .cannotRead:
          "cannot be read as a LUT; name a .cube or .rawlook file or a HaldCLUT as lutPath"
        case .empty: "the LUT is empty; export it again"
        default: error.message
        }
      throw RAWError(FormatError(error.code, reason, path: path), .open)
    }
    do {
      let isPNG = file.bytes(0, png.count) == png
      if file.bytes(0, CameraLookFile.beginning.count) == CameraLookFile.beginning,
        let table = try CameraLookFile.read(file).mapping.table()
      {
        return Contents(table: table, isCameraLook: true)
      }
      return Contents(
        table: try isPNG ? HaldCLUT.read(file) : CubeFile.read(file), isCameraLook: false)
    } catch { throw RAWError(FormatError(error.code, error.message, path: path), .open) }
  }
}
