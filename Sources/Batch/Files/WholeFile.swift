public import Foundation
public import SystemPackage

/// Small files that are written completely or not at all. Paths are bytes.
public enum WholeFile {
  /// Creates a file. Throws ``BatchError/Code/exists`` where there is one,
  /// ``BatchError/Code/cannotWrite``.
  public static func create(_ path: FilePath, _ data: Data) throws(BatchError) {
    do {
      let output = try Descriptor(path, .writeOnly, options: [.create, .exclusiveCreate])
      do { try output.file.writeAll(data) } catch {
        Folders.remove(path)
        throw error
      }
    } catch Errno.fileExists {
      throw BatchError(.exists, "is there already; it is left alone", path: path)
    } catch {
      throw failure(error, path)
    }
  }

  /// Replaces the file at `path` with what `body` passes to `put`; it is unchanged where anything
  /// throws. Throws ``BatchError/Code/cannotWrite``.
  public static func write(
    to path: FilePath, _ body: (_ put: (Data) throws -> Void) throws -> Void
  ) throws {
    let unfinished = OutputPlan.unfinished(path)
    do {
      let output: FileDescriptor
      do {
        output = try FileDescriptor.open(
          unfinished, .writeOnly, options: [.create, .truncate, .closeOnExec],
          permissions: FilePermissions(rawValue: 0o666))
      } catch { throw failure(error, path) }
      do {
        try output.closeAfter { try body { try output.writeAll($0) } }
      } catch let error as Errno { throw failure(error, path) }
      try Folders.move(unfinished, to: path)
    } catch {
      Folders.remove(unfinished)
      throw error
    }
  }

  private static func failure(_ error: any Error, _ path: FilePath) -> BatchError {
    BatchError(.cannotWrite, "cannot write the file: \(error)", path: path)
  }
}
