import Develop
import Recipes
import Synchronization
import SystemPackage

/// The names in folders, each read anew after a while: one request changes thousands of sidecars,
/// and a folder of as many takes a millisecond to list.
final class FolderNames: Sendable {
  private struct Known {
    var names: FolderListing
    var uses = 0

    mutating func use() -> FolderListing? {
      uses += 1
      return uses < mostUses ? names : nil
    }
  }
  private let known = Mutex<[FilePath: Known]>([:])

  /// So many sidecars are found in one listing.
  private static let mostUses = 100

  /// Those in `folder`; nil where they cannot be read.
  subscript(folder: FilePath) -> FolderListing? {
    if let names = known.withLock({ $0[folder]?.use() }) { return names }
    guard let names = try? FolderListing(folder: folder.bytes) else { return nil }
    known.withLock { $0[folder] = Known(names: names) }
    return names
  }
}
