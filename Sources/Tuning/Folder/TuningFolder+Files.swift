import Containers
import Develop
import Foundation
import Recipes
import SystemPackage

/// The files that settings of a raw may name.
extension TuningFolder {
  /// Extensions of the files that each property names.
  private static let extensions: [String: Set<String>] = [
    "profilePath": ["dcp"], "lutPath": ["cube", "rawlook", "png"],
    "whiteFrom": RawExtensions.all, "exposureFrom": RawExtensions.all,
  ]

  /// The largest number of names for one property.
  private static let maxNames = 1000

  /// The names of the files beside the raw `id`, itself excluded, by the property that takes them.
  /// Names that are not UTF-8 are left out. Throws as ``path(_:)``, and where the folder cannot be
  /// read.
  public func files(beside id: PictureID) throws -> [String: [String]] {
    let raw = try path(id)
    let listing = try FolderListing(folder: raw.removingLastComponent().bytes)
    let own = raw.lastComponent?.bytes
    return Self.extensions.mapValues { endings in
      listing.names(endingIn: endings).lazy.filter { $0 != own }
        .compactMap { String(bytes: $0, encoding: .utf8) }.prefix(Self.maxNames).map(\.self)
    }
  }
}
