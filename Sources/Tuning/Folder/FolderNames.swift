import Develop
import Recipes
import Synchronization
import SystemPackage

/// The names in folders, each listed again after a while: one request changes thousands of
/// sidecars, and listing a folder of that size takes a millisecond.
final class FolderNames: Sendable {
  private struct Known {
    var names: FolderListing
    var uses = 0

    mutating func use() -> FolderListing? {
      uses += 1
      return uses < maxUses ? names : nil
    }
  }
  private let known = Mutex<[FilePath: Known]>([:])

  /// Number of sidecars that are found in one listing.
  private static let maxUses = 100

  /// The names in `folder`; nil if unreadable.
  subscript(folder: FilePath) -> FolderListing? {
    if let names = known.withLock({ $0[folder]?.use() }) { return names }
    guard let names = try? FolderListing(folder: folder.bytes) else { return nil }
    known.withLock { $0[folder] = Known(names: names) }
    return names
  }
}
