import RawFilter

extension RAWSettings {
  /// Every property at the neutral value of its row: the pipeline without taste, pixels as recorded
  /// in linear light.
  static func neutral() throws -> RAWSettings {
    try AdjustmentTests.settings(AdjustmentTests.allNeutral)
  }
}
