import Containers
import ImageCore

/// A part of the stored mosaic, and the destination of its samples, row by row.
struct MosaicWindow: @unchecked Sendable {
  let area: PixelRect
  let samples: CodeRowView

  /// The destination of the samples of row `y` from column `x` on, within ``area``.
  func target(_ x: Int, _ y: Int) -> CodeRowView {
    samples.from((y - area.y) * area.width + x - area.x)
  }

  /// Copies the requested part of `row`, the full row `y`.
  func take(_ row: CodeRowView, _ y: Int) {
    guard (area.y..<area.endY).contains(y) else { return }
    target(area.x, y).update(from: row.from(area.x), count: area.width)
  }
}

extension SensorData {
  /// The camera's mosaic, decoded into windows by `decode`, which returns false for damage. Levels
  /// are LibRaw's; black is measured in the masked columns left of the visible area if the file
  /// does not declare it.
  static func decoded(
    _ request: RawStorageRequest, by decode: (_ windows: [MosaicWindow]) throws(PixelError) -> Bool
  ) throws(RAWError) -> SensorData {
    let (file, metadata) = (request.file, request.metadata)
    let area = metadata.visibleArea
    let masked = metadata.declaresBlack ? 0 : area.x
    let border = RowMemory<UInt16>(count: max(masked * area.height, 1))
    let rows = border.row
    let output = request.includesBorders ? metadata.storedArea : area
    var isSound = false
    let samples = try RAWError.translating(.decode) { () throws(PixelError) in
      try RawSamples(of: UInt16.self, stride: output.width, rows: output.height) {
        target throws(PixelError) in
        let windows = [
          MosaicWindow(area: output, samples: target),
          MosaicWindow(
            area: PixelRect(x: 0, y: area.y, width: masked, height: area.height), samples: rows),
        ]
        isSound = try decode(windows.filter { !$0.area.isEmpty })
      }
    }
    try RAWError.translating(.decode) { () throws(FormatError) in try file.checkReading() }
    guard isSound else { throw .damagedPixels(file) }
    let levels = try CameraLevels.read(
      metadata, masked > 0 ? { rows.from(($0 - area.y) * masked) } : nil, layout: request.layout,
      area: area, path: file.path)
    return SensorData(size: output.size, layout: request.layout, samples: samples, levels: levels)
  }
}

extension RAWError {
  /// The error for samples in `file` that cannot all be decoded.
  static func damagedPixels(_ file: FileBytes) -> RAWError {
    RAWError(
      .damaged, .decode, "its pixel data are damaged or end early; copy the file again",
      path: file.path)
  }

  /// The error for compressed samples in `file` whose header does not match the picture.
  static func contradictingHeader(_ file: FileBytes) -> RAWError {
    RAWError(
      .damaged, .decode,
      "the header of its compressed pixel data is inconsistent; copy the file again",
      path: file.path)
  }
}
