import ImageCore
import Synchronization

/// Working memory of one reader of a detail stage. It grows with the first rectangles and is then
/// reused without further allocation.
final class DetailWorkspace {
  /// The source's pixels of the rectangle and its halo.
  let pixels = PlanarBuffer(size: PixelSize(width: 0, height: 0))
  /// Luminance, or its logarithm, going on beyond the borders of the picture.
  let light = TilePlane()
  /// Largest channel, likewise.
  let brightest = TilePlane()
  /// What a stage needs in between.
  let scratch = (0..<6).map { _ in TilePlane() }
}

/// Lends each reader a workspace of its own and keeps it for the next rectangle.
final class DetailWorkspacePool: Sendable {
  private let idle = Mutex<[Held]>([])

  /// A workspace on its way between readers; only one of them holds it at a time.
  private struct Held: @unchecked Sendable {
    let workspace: DetailWorkspace
  }

  func with<Result>(_ body: (DetailWorkspace) -> Result) -> Result {
    let held = idle.withLock { $0.popLast() } ?? Held(workspace: DetailWorkspace())
    defer { idle.withLock { $0.append(held) } }
    return body(held.workspace)
  }
}

extension TilePlane {
  /// Repeats the samples at the edges of `inside`, which are written, over the rest of the plane:
  /// the picture goes on beyond its borders with its last row and column.
  func continueBeyond(_ inside: PixelRect) {
    let (left, right) = (inside.x - rect.x, inside.endX - rect.x)
    for y in inside.y..<inside.endY {
      let line = row(y)
      for x in 0..<max(left, 0) { line[x] = line[left] }
      for x in min(right, rect.width)..<rect.width { line[x] = line[right - 1] }
    }
    for y in rect.y..<max(inside.y, rect.y) {
      row(y).update(from: row(inside.y), count: rect.width)
    }
    for y in min(inside.endY, rect.endY)..<rect.endY {
      row(y).update(from: row(inside.endY - 1), count: rect.width)
    }
  }
}
