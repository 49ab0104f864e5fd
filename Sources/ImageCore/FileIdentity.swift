public import Foundation

/// Which file it is, whatever path and links lead to it: its device and inode. Holds while the file
/// is open or has a name.
public struct FileIdentity: Sendable, Hashable {
  private let device: dev_t
  private let inode: ino_t

  /// The file with this status.
  package init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }

  /// The file that is open; nil where none is.
  public init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file at `url`, links followed; nil where there is none.
  public init?(_ url: URL) {
    guard url.isFileURL else { return nil }
    self.init(path: url.path)
  }

  /// The file at `path`, links followed; nil where there is none.
  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
