/// Sees the picture behind each stage while a pipeline is made, so that two programs can be
/// compared stage by stage.
///
/// It sees what `measured(as:)` and `observed(as:)` are called on, in the order of the pipeline.
/// Where nothing is observed, a stage costs the look at a task-local value.
package protocol StageObserver: Sendable {
  /// What the stages behind `stage` read in place of `picture`, which it returned: the same pixels.
  /// A stage that does nothing returns the picture of the stage in front of it.
  func observe<State: ImageState>(
    _ picture: any PixelSource<State>, behind stage: MeasuredStage
  ) -> any PixelSource<State>
}

extension StageObserver {
  /// Calls `body` and observes the stages of the pipelines that it makes on this thread.
  package func observe<R>(_ body: () throws -> R) rethrows -> R {
    try ObservedThread.$observer.withValue(self, operation: body)
  }
}

extension PixelSource {
  /// This picture, which `stage` returned, or what an observer puts in its place.
  package func observed(as stage: MeasuredStage) -> any PixelSource<State> {
    guard let observer = ObservedThread.observer else { return self }
    return observer.observe(self, behind: stage)
  }
}

private enum ObservedThread {
  /// That of the calling thread; nil where nothing is observed.
  @TaskLocal static var observer: (any StageObserver)?
}
