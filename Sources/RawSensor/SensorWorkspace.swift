import ImageCore
import Synchronization

/// Working memory of one worker: everything that the sensor stages write before the result.
/// It grows with the first tiles and is then reused without further allocation.
final class SensorWorkspace {
  /// Balanced mosaic, or three planes of balanced samples.
  let planes = [TilePlane(), TilePlane(), TilePlane()]
  /// The mosaic with its highlights treated.
  let treated = TilePlane()
  let evidence = TilePlane()
  let sums = TilePlane()
  var repairs: [DefectivePixels.Repair] = []
  let ratioCorrected = RatioCorrectedRows(width: SensorPipeline.tileWidth)
  let lattice = LatticePlanes()
  /// Superpixels of a block.
  let reduced = PlanarBuffer(size: PixelSize(width: 0, height: 0))
  /// Linear pixels before they are reduced.
  let full = PlanarBuffer(size: PixelSize(width: 0, height: 0))
}

/// Lends each worker a workspace of its own and keeps it for the next tile.
final class SensorWorkspacePool: Sendable {
  private let idle = Mutex<[Held]>([])

  /// A workspace on its way between workers; only one of them holds it at a time.
  private struct Held: @unchecked Sendable {
    let workspace: SensorWorkspace
  }

  func with<Result>(_ body: (SensorWorkspace) -> Result) -> Result {
    let held = idle.withLock { $0.popLast() } ?? Held(workspace: SensorWorkspace())
    defer { idle.withLock { $0.append(held) } }
    return body(held.workspace)
  }
}
