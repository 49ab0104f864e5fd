import ArgumentParser

/// Whether brackets are merged.
enum BracketChoice: String, ExpressibleByArgument, CaseIterable {
  /// Each raw is developed alone.
  case none
  /// Frames that form a bracket by their Exif are merged.
  case auto
}
