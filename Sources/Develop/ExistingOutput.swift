import Containers
import Formats
import Foundation
import ImageCore

/// Which files commands replace without being told so: empty ones, and pictures that name rawdev as
/// the software that wrote them, which arrays of numbers cannot.
package enum ExistingOutput {
  /// Throws where what is at `path` must not be replaced. Where the user named only the folder,
  /// `isDerived`, links and devices in it are not followed: it may come from a stranger.
  package static func check(
    _ path: String, overwrites: Bool, isDerived: Bool = false
  ) throws(DevelopError) {
    var status = stat()
    if isDerived, unsafe lstat(path, &status) == 0 {
      let kind = status.st_mode & S_IFMT
      guard kind == S_IFREG || kind == S_IFDIR else {
        throw .write(
          WriteError(
            .exists, "is a link or no ordinary file; remove it or name another output",
            path: path))
      }
    }
    let target: WriteTarget
    do { target = try WriteTarget(Array(path.utf8)) } catch { throw .write(error) }
    guard case .file(path: _, old: let old?) = target, old.byteCount > 0, !overwrites else {
      return
    }
    if let file = try? FileBytes(path: path, limits: DecodeLimits(maxFileBytes: .max)),
      let software = WritingSoftware.name(in: file), software.begins(with: RawdevVersion.name)
    {
      return
    }
    throw .write(
      WriteError(
        .exists, "is there, and was not written by rawdev; name another file or give --overwrite",
        path: path))
  }
}
