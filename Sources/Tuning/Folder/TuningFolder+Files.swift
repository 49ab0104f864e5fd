import Develop
import Foundation
import RawFilter
import Recipes
import SystemPackage

/// The files that settings of a raw may name.
extension TuningFolder {
  /// The largest number of names for one property.
  private static let maxNames = 1000

  /// The names of the files beside the raw `id`, itself excluded, by the property that takes them.
  /// Names that are not UTF-8 are left out. Throws as ``path(_:)``, and where the folder cannot be
  /// read.
  public func files(beside id: PictureID) throws -> [String: [String]] {
    let raw = try path(id)
    let listing = try FolderListing(folder: raw.removingLastComponent().bytes)
    let own = raw.lastComponent?.bytes
    var files: [String: [String]] = [:]
    for entry in PanelEntry.all {
      guard let extensions = entry.fileExtensions else { continue }
      let names = listing.names(endingIn: extensions).lazy.filter { $0 != own }
        .compactMap { String(bytes: $0, encoding: .utf8) }
      files[entry.name] = Array(names.prefix(Self.maxNames))
    }
    return files
  }
}
