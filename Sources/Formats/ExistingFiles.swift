/// What of the files that are there already may be replaced. An output that is one of the files it
/// is made of is refused in any case.
public enum ExistingFiles: Sendable, Hashable {
  /// Nothing.
  case refuse
  /// Empty files, and pictures that name rawdev as the software that wrote them, which arrays of
  /// numbers cannot. Not files that name another source than the new one, nor files whose metadata
  /// another program has edited since.
  case replaceOwn
  /// Any file.
  case replace
}
