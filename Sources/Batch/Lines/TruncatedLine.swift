package import SystemPackage

/// The last line of a file to which a run was writing when it was killed.
package enum TruncatedLine {
  /// Appends a line feed where the last line has none, so that the next append begins a line.
  package static func terminate(_ file: FileDescriptor) {
    var last: [UInt8] = [10]
    guard let end = try? file.seek(offset: 0, from: .end), end > 0,
      (try? file.read(into: &last, at: end - 1)) == 1, last != [10]
    else { return }
    _ = try? file.writeAll([10])
  }
}
