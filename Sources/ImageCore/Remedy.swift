/// What a message advises, as a value beside its text, so that a program can say how it is done
/// there: the command by its options, a page by its buttons. The text names no way to do it.
public enum Remedy: String, Sendable, Hashable, Codable, CaseIterable {
  /// Let the file that is there be replaced.
  case allowReplacement
  /// Give the work more time.
  case allowTime
  /// Give the work more memory.
  case allowMemory
  /// Work on fewer files at a time.
  case reduceJobs
  /// Install a newer LibRaw.
  case installDecoder
  /// Give a profile of the camera.
  case giveCameraProfile
  /// Convert the finished picture instead of developing it.
  case convertPicture
  /// Convert the picture to SDR.
  case convertToSDR
  /// Take the picture without its gain map.
  case dropGainMap
  /// Give the metadata of the new gain map.
  case giveGainMapMetadata
  /// See what the picture holds.
  case identify
  /// Convert the raw to DNG, or develop it to that format.
  case writeDNG
  /// Decode the pixels, too.
  case decodePixels
  /// Merge the frames without aligning them.
  case mergeUnaligned
  /// Merge the frames without removing ghosts.
  case mergeWithGhosts
  /// Rewrite the recipe in its present form.
  case migrateRecipe
  /// Make a recipe to start from.
  case createRecipe
  /// See which recipes are built in.
  case listRecipes

  /// Each of `remedies` once, in the order of the cases.
  package static func each(_ remedies: some Sequence<Remedy>) -> [Remedy] {
    let found = Set(remedies)
    return allCases.filter(found.contains)
  }
}
