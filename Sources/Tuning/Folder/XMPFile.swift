import Batch
import Containers
import Develop
import Formats
import Foundation
import Recipes
import SystemPackage

/// The XMP of another program beside a raw, into which a rating is written on request.
struct XMPFile {
  /// Its path; if it does not exist, the path to create: `photo.ext.xmp`, which can belong to no
  /// other file.
  let path: FilePath
  /// Its marks; nil where it has none, or is missing.
  let marks: PictureMarks?
  private let root: FilePath
  /// What a new file begins with: the metadata of a profile of RawTherapee, which it will hide.
  private let beginning: [UInt8]

  /// Of the raw at `raw`. Throws where it cannot be read, or is a link outside `root`.
  init(of raw: FilePath, below root: FilePath) throws(RecipeError) {
    self.root = root
    let folder = raw.removingLastComponent()
    let name = raw.lastComponent?.bytes ?? []
    let found = try SidecarFinder(folder: folder.bytes).sidecars(of: name)
    path =
      found.descriptionFile.map { FilePath(bytes: $0) }
      ?? folder.pushing(FilePath(bytes: name + Array(".xmp".utf8)))
    marks = found.description.flatMap { PictureMarks(packet: $0) }
    beginning = found.description ?? XMPWriter.packet(descriptions: [])
    try FolderScan.requireInside(path, root)
  }

  /// Gives it these marks, unless it says the same already. Throws, and writes nothing, where it
  /// cannot be edited.
  func write(_ new: PictureMarks) throws {
    guard marks != nil || new.rating != nil || new.pick == .rejected else { return }
    do {
      // Again where another program wrote it meanwhile.
      while try !writeOnce(new.xmpRating) {}
    } catch let fault as XMPFault {
      throw RecipeError(.malformed, fault.message, path: path.shown, line: fault.line)
    } catch let error as WriteError {
      throw RecipeError(.cannotWrite, error.message, path: path.shown)
    }
  }

  private func writeOnce(_ rating: Int) throws -> Bool {
    guard FileStatus(path) != nil else {
      return try AtomicFile.create(try XMPRating.set(rating, in: beginning), at: path.bytes)
    }
    let bytes = try SidecarFinder.bytes(path.bytes)
    let new = try XMPRating.set(rating, in: bytes)
    return try new == bytes
      || AtomicFile.replace(new, at: path.bytes) {
        (try? SidecarFinder.bytes(path.bytes)) == bytes
      }
  }
}
