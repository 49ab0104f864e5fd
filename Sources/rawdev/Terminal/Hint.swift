import ImageCore

/// The command's way to follow the advice of a message.
enum Hint {
  /// The message of `error`, and the options for its advice.
  static func text(_ error: any Error) -> String {
    added(to: "\(error)", (error as? any KindedError)?.remedies ?? [])
  }

  /// `message`, and the options for its advice.
  static func added(to message: String, _ remedies: [Remedy]) -> String {
    remedies.isEmpty ? message : "\(message) (\(ways(remedies)))"
  }

  /// The options and commands for `remedies`.
  static func ways(_ remedies: [Remedy]) -> String {
    remedies.map(\.way).joined(separator: ", ")
  }
}

extension Remedy {
  /// The option or command that does it.
  fileprivate var way: String {
    switch self {
    case .allowReplacement: "--overwrite"
    case .allowTime: "--timeout"
    case .allowMemory: "--memory"
    case .reduceJobs: "--jobs"
    case .installDecoder: "Scripts/libraw"
    case .giveCameraProfile: "--camera-profile FILE.dcp"
    case .convertPicture, .convertToSDR: "rawdev convert"
    case .dropGainMap: "rawdev convert --gain-map drop"
    case .giveGainMapMetadata: "--metadata"
    case .identify: "rawdev identify"
    case .writeDNG: "rawdev dng, --format dng"
    case .decodePixels: "--pixels"
    case .mergeUnaligned: "--no-align"
    case .mergeWithGhosts: "--no-deghost"
    case .migrateRecipe: "rawdev recipe migrate --write"
    case .createRecipe: "rawdev recipe init"
    case .listRecipes: "rawdev recipe list"
    }
  }
}
