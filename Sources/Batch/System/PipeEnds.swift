import SystemPackage

/// A pipe that no other program inherits.
struct PipeEnds: ~Copyable, Sendable {
  let read: Descriptor
  let write: Descriptor

  /// Throws `Errno` where the process has no descriptors left.
  init() throws {
    // In one step: a program that another thread starts in between would inherit them.
    let ends = try FileDescriptor.pipe(options: .closeOnExec)
    read = Descriptor(ends.readEnd)
    write = Descriptor(ends.writeEnd)
  }
}
