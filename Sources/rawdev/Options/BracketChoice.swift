import ArgumentParser

/// Whether brackets are merged.
enum BracketChoice: String, ExpressibleByArgument, CaseIterable {
  /// Each raw is developed by itself.
  case none
  /// Frames that belong together by their Exif are.
  case auto
}
