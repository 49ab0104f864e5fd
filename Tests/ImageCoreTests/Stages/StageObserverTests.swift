import ImageCore
import Synchronization
import SyntheticRaw
import Testing

@Suite struct StageObserverTests {
  private struct Plain: PixelSource {
    typealias State = CameraRGB
    let size = PixelSize(width: 3, height: 2)
    var info: CameraRGB.Info { CameraRGB.Info() }
    func read(_ rect: PixelRect, into buffer: PlanarBuffer) throws(PixelError) {
      try buffer.reshape(rect.size)
    }
  }

  /// Replaces all pictures by pictures in memory.
  private final class Keeper: StageObserver {
    let seen = Mutex<[(stage: MeasuredStage, isInMemory: Bool)]>([])

    func observe<State: ImageState>(
      _ picture: any PixelSource<State>, behind stage: MeasuredStage
    ) -> any PixelSource<State> {
      let isInMemory = picture is Image<State>
      seen.withLock { $0.append((stage, isInMemory)) }
      return isInMemory ? picture : certain { try Image(rendering: picture, workers: 1) }
    }
  }

  @Test func picturesStayWhereNothingIsObserved() {
    #expect(Plain().observed(as: .tone) is Plain)
    #expect(Plain().measured(as: .tone) is Plain)
  }

  @Test func everyStageIsSeenInOrder() {
    let keeper = Keeper()
    let last = keeper.observe {
      Plain().observed(as: .demosaic).measured(as: .lens)
    }
    #expect(last is Image<CameraRGB>)
    let seen = keeper.seen.withLock { $0 }
    #expect(seen.map(\.stage) == [.demosaic, .lens])
    // The second stage does nothing: it gets the replacement of the first.
    #expect(seen.map(\.isInMemory) == [false, true])
    _ = Plain().measured(as: .tone)
    #expect(keeper.seen.withLock { $0.count } == 2)
  }

  @Test func stagesAreObservedAndRecorded() throws {
    let keeper = Keeper()
    let recorder = StageRecorder()
    try recorder.record {
      let picture = keeper.observe { Plain().measured(as: .tone) }
      #expect(!(picture is Image<CameraRGB>))
      try picture.read(PixelRect(picture.size), into: try PlanarBuffer(size: picture.size))
    }
    #expect(keeper.seen.withLock { $0.count } == 1)
    #expect(recorder.cpu[.tone] != nil)
  }
}
