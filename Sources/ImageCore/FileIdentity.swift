public import Foundation

/// The identity of a file regardless of paths and links: its device and inode. Valid while the file
/// is open or has a name.
public struct FileIdentity: Sendable, Hashable {
  private let device: dev_t
  private let inode: ino_t

  /// The file with this status.
  package init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }

  /// The open file; nil for an invalid descriptor.
  public init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file at `url`, links followed; nil if it does not exist.
  public init?(_ url: URL) {
    guard url.isFileURL else { return nil }
    self.init(path: url.path)
  }

  /// The file at `path`, links followed; nil if it does not exist.
  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
