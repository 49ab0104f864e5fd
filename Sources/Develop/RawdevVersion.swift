/// The version of rawdev. No other place states one.
public enum RawdevVersion {
  /// The release, as `rawdev --version` prints it and reports name it.
  public static let current = "0.1.0"

  /// The release that last changed a pixel of what a recipe makes. Journals hold it, and a batch
  /// develops again what another engine made: a release that changes no pixel leaves it alone. A
  /// test compares renderings with those in `Fixtures/engine.json` and fails until it is raised.
  public static let engine = "0.1.0"
}
