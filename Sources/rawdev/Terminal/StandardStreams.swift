import ArgumentParser
import Develop
import Formats
import Foundation
import ImageCore
import Readers
import SystemPackage

/// `-` for standard input and standard output.
enum StandardStreams {
  /// What writers take for standard output.
  static let output = "/dev/stdout"
  /// Standard input, once it is a file.
  static let input = "/dev/stdin"

  /// The path for the value `text` of -o.
  static func output(_ text: String) throws -> String {
    guard text == "-" else { return text }
    guard isatty(1) == 0 else {
      throw ValidationError("-o - writes a picture, and standard output is a terminal; redirect it")
    }
    return output
  }

  /// The files that arguments name; standard input, which can be read once, is copied to one.
  static func inputs(_ arguments: [String]) throws -> [String] {
    guard arguments.filter({ $0 == "-" }).count < 2 else {
      throw ValidationError("- is standard input, which can be read once")
    }
    if arguments.contains("-") { try spool() }
    return arguments.map { $0 == "-" ? input : $0 }
  }

  /// Replaces standard input by an unnamed file with all of its contents. As it may be in memory,
  /// it has the maximum length of an input file.
  private static func spool() throws {
    guard isatty(0) == 0 else {
      throw ValidationError("- is standard input, which is a terminal; redirect it")
    }
    let copy: FileDescriptor
    do {
      copy = FileDescriptor(rawValue: try AtomicFile.unnamedFile(for: input))
    } catch { throw DevelopError.write(error) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { unsafe buffer.deallocate() }
    let longest = DecodeLimits().maxFileBytes
    var total = 0
    while true {
      let count: Int
      do { count = try unsafe FileDescriptor.standardInput.read(into: buffer) } catch {
        throw DevelopError.read(
          ReadError(.cannotRead, "cannot be read: \(error); name a file", path: input))
      }
      if count == 0 { break }
      total += count
      guard total <= longest else {
        throw DevelopError.read(
          ReadError(.tooLarge, "more than the limit of \(longest) bytes; name a file", path: input))
      }
      do {
        try unsafe AtomicFile.append(
          UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: copy.rawValue, path: input)
      } catch let error as WriteError { throw DevelopError.write(error) }
    }
    _ = try copy.duplicate(as: .standardInput)
    try copy.close()
  }
}
