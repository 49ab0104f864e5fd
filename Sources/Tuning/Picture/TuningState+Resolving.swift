import ImageCore
import RawFilter

extension TuningRendering {
  /// What holds for the raw at `settings`.
  func state(_ settings: RAWSettings) throws -> TuningState {
    let filter = filter(settings, isHDR: true, .bt2020)
    var uncropped = filter
    uncropped.settings.frame = FrameSettings()
    let plan = try filter.plan()
    let (size, whole) = (filter.outputSize, uncropped.outputSize)
    return TuningState(
      width: size.width, height: size.height, uncroppedWidth: whole.width,
      uncroppedHeight: whole.height, fileHeadroom: plan.fileHeadroom,
      adjustments: try filter.resolvedAdjustments().map {
        TuningState.Item(
          name: $0.name, value: $0.value, withoutEffect: filter.reasonWithoutEffect($0.name))
      }, profiles: filter.profiles.map(\.name), warnings: filter.warnings)
  }
}
