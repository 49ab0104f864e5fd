import ImageCore
import RawDecode
import RawSensor
import Synchronization

extension DevelopPlan {
  /// A digest of the picture after each active stage, in the order of the pipeline. If a change of
  /// the program changes pixels, the first digest that differs names the stage.
  ///
  /// Each stage reads the picture of the one before from memory, so that none is computed twice; up
  /// to eight are in memory at a time, 12 bytes a pixel each.
  package func stageDigests() throws -> [StageDigest] {
    let digests = StageDigests(workers: workers)
    let samples = try picture.samples(sensor.opcodes, workers: workers)
    if activeStages.contains(.sensorOpcodes) {
      // The samples as stored.
      try digests.add(.decode, try picture.file.decode(workers: workers))
      try digests.add(.sensorOpcodes, samples)
    } else {
      try digests.add(.decode, samples)
    }
    for (step, picture) in try picture.pipeline(sensor, of: samples, workers: workers).steps {
      _ = digests.observe(picture, behind: step)
    }
    _ = try digests.observe { try stages() }
    try digests.check()
    return digests.found
  }
}

/// Renders every observed picture into memory, and stores its digest.
private final class StageDigests: StageObserver {
  private let workers: Int
  private let digests = Mutex<[StageDigest]>([])
  private let failure = Mutex<PixelError?>(nil)

  init(workers: Int) { self.workers = workers }

  var found: [StageDigest] { digests.withLock { $0 } }

  /// Throws the first error of rendering an observed picture.
  func check() throws(PixelError) { if let failure = failure.withLock({ $0 }) { throw failure } }

  func observe<State: ImageState>(
    _ picture: any PixelSource<State>, behind stage: MeasuredStage
  ) -> any PixelSource<State> {
    // Stages compute on demand; a picture in memory is the input of an inactive stage.
    if picture is Image<State> { return picture }
    do throws(PixelError) {
      let image = try Image(rendering: picture, workers: workers)
      add(try StageDigest(name(of: stage), image, workers: workers))
      return image
    } catch {
      failure.withLock { $0 = $0 ?? error }
      return picture
    }
  }

  func add(_ stage: MeasuredStage, _ samples: SensorData) throws(PixelError) {
    add(try StageDigest(name(of: stage), samples, workers: workers))
  }

  private func add(_ digest: StageDigest) { digests.withLock { $0.append(digest) } }

  /// The second occurrence of a stage, in blended renditions, gets a number.
  private func name(of stage: MeasuredStage) -> String {
    let others = found.count { $0.stage.split(separator: " (")[0] == stage.rawValue }
    return others == 0 ? stage.rawValue : "\(stage.rawValue) (\(others + 1))"
  }
}
