internal import CPOSIX
import Foundation
import ImageCore

extension OutputDestination {
  /// Calls `body` with an open, empty file, and moves the result here. Returns the bytes if this is
  /// memory. Where `body` throws, nothing is changed.
  package func write<R>(
    _ content: OutputContent, _ body: (_ descriptor: Int32) throws -> R
  ) throws -> (result: R, contents: [UInt8]?) {
    do {
      return try MeasuredStage.write.measure { try bring(content, body) }
    } catch let error as PixelError {
      throw WriteError(error).at(name)
    }
  }

  private func bring<R>(
    _ content: OutputContent, _ body: (_ descriptor: Int32) throws -> R
  ) throws -> (result: R, contents: [UInt8]?) {
    switch target {
    case .noFile: throw noFile
    case .memory: return try writeToMemory(body)
    case .handedOver(let descriptor, let syncs):
      let result = try wanted(body(descriptor))
      if syncs {
        try AtomicFile.sync(descriptor, name)
        AtomicFile.syncFolder(of: Array(name.utf8))
      }
      return (result, nil)
    case .descriptor(let number):
      try check(content)
      return (try write(to: .descriptor(number), body), nil)
    case .file(let path, _):
      switch try target(of: content, at: path) {
      case .stream(let stream): return (try write(to: stream, body), nil)
      case .file(let path, let old):
        let result = try AtomicFile.write(
          to: path, replacing: old,
          putting: { () throws(WriteError) in
            // What is there by now may be another file.
            guard case .file(_, old: nil) = try target(of: content, at: path) else {
              return .replacing
            }
            return .new
          }, { try wanted(body($0)) })
        return (result, nil)
      }
    }
  }

  /// The same for a file in memory, as chunks. Returns its length, too.
  package func write(
    _ content: OutputContent, chunks: [[UInt8]]
  ) throws -> (byteCount: Int, contents: [UInt8]?) {
    if case .memory = target {
      try Cancellation.check()
      let bytes = Array(chunks.joined())
      return (bytes.count, bytes)
    }
    let (count, bytes) = try write(content) { descriptor in
      for chunk in chunks { try AtomicFile.append(chunk, to: descriptor, path: name) }
      return chunks.reduce(0) { $0 + $1.count }
    }
    return (count, bytes)
  }

  /// A file that is complete; not where the work was cancelled meanwhile.
  private func wanted<R>(_ result: R) throws -> R {
    try Cancellation.check()
    return result
  }

  private func write<R>(
    to stream: WriteTarget.Stream, _ body: (_ descriptor: Int32) throws -> R
  ) throws -> R {
    try AtomicFile.write(to: stream, name) { try wanted(body($0)) }
  }

  private func writeToMemory<R>(
    _ body: (_ descriptor: Int32) throws -> R
  ) throws -> (result: R, contents: [UInt8]?) {
    var descriptor = cposix_memory_file()
    if descriptor < 0 { descriptor = try AtomicFile.unnamedFile(for: name) }
    defer { close(descriptor) }
    let result = try wanted(body(descriptor))
    let length = Int(lseek(descriptor, 0, SEEK_END))
    guard length >= 0 else { throw AtomicFile.failure("cannot read the file", path: name) }
    let bytes = try unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      while count < length {
        let read = unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + count }, length - count, off_t(count))
        guard read > 0 else { throw AtomicFile.failure("cannot read the file", path: name) }
        count += read
      }
    }
    return (result, bytes)
  }
}
