/// The name and version of rawdev.
public enum RawdevVersion {
  /// The release, as in `rawdev --version`, in reports and in written files.
  public static let current = "0.3.0"

  /// The last release that changed pixels. Journals record it, and a batch develops again what was
  /// made by another one. A test compares renderings with `Fixtures/engine.json`, and fails until
  /// this is raised.
  public static let engine = "0.2.0"

  /// The name with which ``software`` begins in every release.
  public static let name = "rawdev"

  /// The program as written files name it: Exif's Software, XMP's CreatorTool.
  public static let software = "\(name) \(current)"
}
