package import ImageCore
import RawData

extension LensStage {
  /// Distance of rows at which displacements are evaluated: they change slowly.
  private static let step = 16
  /// Upper bound of the change of displacements between two of these, plus the taps around a
  /// position.
  private static let margin = 8

  /// Pixels around a rectangle on which it depends, in a picture of `size` whose pixels cover
  /// `reduction` × `reduction` of the frame each; nil if unknown.
  package func reach(in size: PixelSize, reduction: Int) throws(PixelError) -> Int? {
    var frame = frame
    frame.reduction = reduction
    var reach = 0
    for action in actions {
      switch action {
      case .warp(let warp):
        guard let farthest = try Self.farthest(WarpField(warp, frame, size: size)) else {
          return nil
        }
        reach += farthest + Self.margin
      case .trim, .badPixels: return nil
      case .vignette, .map, .gains, .lines: break
      }
    }
    return reach
  }

  /// The longest displacement in pixels, rounded up; nil if it exceeds the picture.
  private static func farthest(_ field: WarpField) throws(PixelError) -> Int? {
    let nodes = (field.size.width - 1) / field.spacing + 2
    let rows = try PlanarBuffer(size: PixelSize(width: nodes, height: 2))
    var farthest: Float = 0
    for set in field.warp.planes.indices {
      for y in stride(from: 0, to: field.size.height + step, by: step) {
        let (right, down) = (rows.row(0, 0), rows.row(0, 1))
        field.displacements(
          0, count: nodes, y: min(y, field.size.height - 1), set: set, right: right, down: down)
        for node in 0..<nodes {
          farthest = max(farthest, abs(right[node]), abs(down[node]))
        }
      }
    }
    return farthest < Float(max(field.size.width, field.size.height)) ? Int(farthest) + 1 : nil
  }
}
