import Charts
import Foundation
import ImageCore
import ImageFilters
import RawDecode
import RawSensor

/// A reduced linear camera picture in which charts and patches are measured: with corrected levels,
/// defects and lens, without highlight reconstruction, demosaic or tone mapping. Pixels are the
/// cells of a mosaic, so that no color leaks across an edge.
struct CameraSamples: Sendable {
  /// White-balanced as shot, and upright, because some cameras store mirrored pictures.
  let picture: ChartPicture
  /// Factors that convert values to camera values without white balance.
  let neutral: SIMD3<Double>
  /// Native size of the upright picture.
  private let native: PixelSize

  /// Maximum number of pixels.
  private static let maxPixels = 8 << 20

  init(_ filter: RAWFilter) throws(RAWError) {
    let picture = filter.picture
    let selection = filter.lensSelection
    let lens = picture.lens(selection, balance: picture.balance(filter.profile))
    let plan = picture.sensorPlan(
      selection.opcodes, .kept, filter.profile, defects: try filter.measuredDefects(),
      resolution: lens.isReducible ? .reduced : .full)
    let (camera, pipeline) = try picture.recorded(plan, lens: selection, workers: filter.workers)
    let (crop, step) = (filter.cameraCrop, pipeline.reduction)
    let cells = PixelRect(
      x: crop.x / step, y: crop.y / step, width: max(crop.width / step, 1),
      height: max(crop.height / step, 1)
    ).intersection(PixelRect(camera.size))
    var box = 1
    while cells.size.area / (box * box) > Self.maxPixels { box += 1 }
    let size = PixelSize(width: max(cells.width / box, 1), height: max(cells.height / box, 1))
    var pixels = [SIMD3<Float>]()
    pixels.reserveCapacity(size.area)
    let strip = max(camera.bandHeight / box, 1)
    let buffer = PlanarBuffer()
    for top in stride(from: 0, to: size.height, by: strip) {
      let rows = min(strip, size.height - top)
      let rect = PixelRect(
        x: cells.x, y: cells.y + top * box, width: size.width * box, height: rows * box
      ).intersection(PixelRect(camera.size))
      try RAWError.translating(.sensor) { () throws(PixelError) in
        try camera.read(rect, into: buffer)
      }
      for y in 0..<rows {
        for x in 0..<size.width {
          var (sum, count) = (SIMD3<Float>(), Float(0))
          for j in y * box..<min((y + 1) * box, rect.height) {
            for i in x * box..<min((x + 1) * box, rect.width) {
              sum += SIMD3(buffer.row(0, j)[i], buffer.row(1, j)[i], buffer.row(2, j)[i])
              count += 1
            }
          }
          pixels.append(count > 0 ? sum / count : SIMD3())
        }
      }
    }
    let orientation = filter.effectiveOrientation
    let upright = orientation.upright(size)
    if orientation != .up {
      let stored = pixels
      for y in 0..<upright.height {
        for x in 0..<upright.width {
          let p = orientation.storedPoint(of: PixelPoint(x: x, y: y), stored: size)
          pixels[y * upright.width + x] = stored[p.y * size.width + p.x]
        }
      }
    }
    guard
      let made = ChartPicture(size: upright, pixels: pixels, saturation: pipeline.saturation)
    else { throw RAWError(.damaged, .decode, "the picture has no pixels", path: nil) }
    self.picture = made
    let profile = filter.profile
    neutral = profile.map { $0.neutral(for: $0.asShotWhite) } ?? SIMD3(1, 1, 1)
    native = orientation.upright(filter.nativeSize)
  }

  /// Converts a position in the upright picture at native size to one in ``picture``.
  func position(_ upright: SIMD2<Double>) -> SIMD2<Double> {
    upright * scale
  }

  /// Converts a position in ``picture`` to one in the upright picture at native size.
  func upright(_ position: SIMD2<Double>) -> SIMD2<Double> {
    position / scale
  }

  private var scale: SIMD2<Double> {
    SIMD2(
      Double(picture.size.width) / Double(native.width),
      Double(picture.size.height) / Double(native.height))
  }

  /// The mean camera value, without white balance, of a part of the upright picture, excluding the
  /// lowest and highest tenth of each channel.
  func mean(_ area: CropArea) throws(PatchRefusal) -> SIMD3<Double> {
    let edges = area.edges(in: native)
    guard edges.allSatisfy({ $0 >= 0 && $0 <= 1 }) else { throw .outside }
    let (w, h) = (Double(picture.size.width), Double(picture.size.height))
    let (left, top) = (Int(edges[0] * w), Int(edges[1] * h))
    let (right, bottom) = (Int((edges[2] * w).rounded(.up)), Int((edges[3] * h).rounded(.up)))
    let rect = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
      .intersection(PixelRect(picture.size))
    guard !rect.isEmpty else { throw .outside }
    var colors: [SIMD3<Float>] = []
    for y in rect.y..<rect.endY { for x in rect.x..<rect.endX { colors.append(picture[x, y]) } }
    let limit = picture.saturation * Self.clippedFraction
    let full = colors.count { $0.x >= limit.x || $0.y >= limit.y || $0.z >= limit.z }
    if full * 50 > colors.count { throw .clipped }
    var mean = SIMD3<Double>()
    let cut = colors.count / 10
    for c in 0..<3 {
      let inner = colors.map { Double($0[c]) }.sorted().dropFirst(cut).dropLast(cut)
      mean[c] = inner.reduce(0, +) / Double(max(inner.count, 1))
    }
    guard mean.min() > Self.minValue else { throw .black }
    return mean * neutral
  }

  /// Fraction of the saturation from which a value counts as saturated.
  private static let clippedFraction: Float = 0.97
  /// Values up to this are rounding of the sensor's samples.
  private static let minValue = 1e-4
}

/// Why no white can be measured in a part of a picture.
enum PatchRefusal: Error {
  case outside, clipped, black

  /// The problem and what to do, as a predicate of "the patch".
  var text: String {
    switch self {
    case .outside: "lies outside of the picture; give x,y,width,height of the upright picture"
    case .clipped: "is clipped; choose a darker neutral one, or a shorter exposure"
    case .black: "is black; choose a brighter neutral one"
    }
  }
}
