/// Observes the picture after each stage while a pipeline is built, so that two programs can be
/// compared stage by stage.
///
/// It is called for each `measured(as:)` and `observed(as:)`, in the order of the pipeline. When
/// nothing is observed, a stage costs one lookup of a task-local value.
package protocol StageObserver: Sendable {
  /// What the stages after `stage` read instead of `picture`, its output: the same pixels. For a
  /// stage that does nothing, `picture` is the output of the stage before it.
  func observe<State: ImageState>(
    _ picture: any PixelSource<State>, behind stage: MeasuredStage
  ) -> any PixelSource<State>
}

extension StageObserver {
  /// Calls `body` and observes the stages of the pipelines that it builds on this thread.
  package func observe<R>(_ body: () throws -> R) rethrows -> R {
    try ObservedThread.$observer.withValue(self, operation: body)
  }
}

extension PixelSource {
  /// This picture, which `stage` returned, or its replacement by an observer.
  package func observed(as stage: MeasuredStage) -> any PixelSource<State> {
    guard let observer = ObservedThread.observer else { return self }
    return observer.observe(self, behind: stage)
  }
}

private enum ObservedThread {
  /// The observer of the calling thread; nil where nothing is observed.
  @TaskLocal static var observer: (any StageObserver)?
}
