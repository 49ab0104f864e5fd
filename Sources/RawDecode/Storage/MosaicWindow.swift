import Containers
import ImageCore

/// A part of the mosaic that a camera stores, and where its samples go, row by row.
struct MosaicWindow: @unchecked Sendable {
  let area: PixelRect
  let samples: CodeRowView

  /// Where the samples of row `y` from column `x` on go, which are within ``area``.
  func target(_ x: Int, _ y: Int) -> CodeRowView {
    samples.from((y - area.y) * area.width + x - area.x)
  }

  /// Takes what is wanted of `row`, the whole row `y`.
  func take(_ row: CodeRowView, _ y: Int) {
    guard (area.y..<area.endY).contains(y) else { return }
    target(area.x, y).update(from: row.from(area.x), count: area.width)
  }
}

extension SensorData {
  /// The camera's mosaic that `decode` puts into windows, false where it is damaged. Levels are
  /// LibRaw's; the masked columns left of the visible area tell black where the file does not.
  static func decoded(
    _ request: RawStorageRequest, by decode: (_ windows: [MosaicWindow]) throws(PixelError) -> Bool
  ) throws(RAWError) -> SensorData {
    let (file, facts) = (request.file, request.facts)
    let area = facts.visibleArea
    let masked = facts.declaresBlack ? 0 : area.x
    let border = RowMemory<UInt16>(count: max(masked * area.height, 1))
    let rows = border.row
    let kept = request.isWhole ? facts.storedArea : area
    var isSound = false
    let samples = try RAWError.translating(.decode) { () throws(PixelError) in
      try RawSamples(of: UInt16.self, stride: kept.width, rows: kept.height) {
        target throws(PixelError) in
        let windows = [
          MosaicWindow(area: kept, samples: target),
          MosaicWindow(
            area: PixelRect(x: 0, y: area.y, width: masked, height: area.height), samples: rows),
        ]
        isSound = try decode(windows.filter { !$0.area.isEmpty })
      }
    }
    try RAWError.translating(.decode) { () throws(FormatError) in try file.checkReading() }
    guard isSound else { throw .damagedPixels(file) }
    let levels = try CameraLevels.read(
      facts, masked > 0 ? { rows.from(($0 - area.y) * masked) } : nil, layout: request.layout,
      area: area, path: file.path)
    return SensorData(size: kept.size, layout: request.layout, samples: samples, levels: levels)
  }
}

extension RAWError {
  /// The failure of samples in `file` that cannot all be decoded.
  static func damagedPixels(_ file: FileBytes) -> RAWError {
    RAWError(
      .damaged, .decode, "its pixel data are damaged or end early; copy the file again",
      path: file.path)
  }

  /// The failure of compressed samples in `file` whose header is not that of the picture.
  static func contradictingHeader(_ file: FileBytes) -> RAWError {
    RAWError(
      .damaged, .decode,
      "the header of its compressed pixel data is inconsistent; copy the file again",
      path: file.path)
  }
}
