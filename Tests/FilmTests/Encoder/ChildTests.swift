import Foundation
import TestSupport
import Testing

@testable import Film

struct ChildTests {
  @Test("What is written arrives, and what is printed is read")
  func pipes() throws {
    let child = try Child(["/bin/cat"], takesInput: true, givesOutput: true)
    try child.write(Array("hello".utf8))
    child.closeInput()
    #expect(try child.text(limit: 100) == Array("hello".utf8))
    try child.finish()
  }

  @Test("Much that nobody reads on standard error blocks nothing")
  func messages() throws {
    let child = try Child(
      ["/bin/sh", "-c", "head -c 1000000 /dev/zero >&2; cat > /dev/null"], takesInput: true,
      givesOutput: false)
    try child.write([UInt8](repeating: 1, count: 1 << 20))
    try child.finish()
  }

  @Test("A child that fails, dies or fills the disk is one message")
  func failures() throws {
    func failure(_ script: String) -> FilmError? {
      #expect(throws: FilmError.self) {
        let child = try Child(["/bin/sh", "-c", script], takesInput: true, givesOutput: false)
        for _ in 0..<100 { try child.write([UInt8](repeating: 0, count: 1 << 16)) }
        try child.finish()
      }
    }
    let failed = failure("echo trouble >&2; exit 3")
    #expect(failed?.code == .encoderFailed && failed?.message.contains("exit status 3") == true)
    #expect(failed?.message.contains("trouble") == true)
    #expect(failure("kill -9 $$")?.message.contains("signal 9") == true)
    #expect(failure("echo 'No space left on device' >&2; exit 1")?.code == .diskFull)
    #expect(failure("echo \"Unknown encoder 'x'\" >&2; exit 1")?.code == .noEncoder)
  }

  @Test("A child that waits forever and ignores SIGTERM is ended")
  func stall() throws {
    let child = try Child(
      ["/bin/sh", "-c", "trap '' TERM; sleep 1000"], takesInput: true, givesOutput: false,
      stallSeconds: 0.5)
    let error = #expect(throws: FilmError.self) {
      for _ in 0..<100 { try child.write([UInt8](repeating: 0, count: 1 << 16)) }
    }
    #expect(error?.message.contains("stopped") == true)
  }

  @Test("More than the limit is not read, and programs that are not there are named")
  func limits() throws {
    let child = try Child(["/bin/cat", "/dev/zero"], takesInput: false, givesOutput: true)
    #expect(throws: FilmError.self) { try child.text(limit: 1 << 20) }
    let error = #expect(throws: FilmError.self) {
      try Child(["/nowhere/ffmpeg"], takesInput: false, givesOutput: true)
    }
    #expect(error?.code == .noEncoder)
  }
}
