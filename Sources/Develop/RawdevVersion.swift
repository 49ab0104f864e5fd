/// The version of rawdev.
public enum RawdevVersion {
  /// The release, as in `rawdev --version` and in reports.
  public static let current = "0.1.0"

  /// The last release that changed pixels. Journals record it, and a batch develops again what was
  /// made by another one. A test compares renderings with `Fixtures/engine.json`, and fails until
  /// this is raised.
  public static let engine = "0.1.0"
}
