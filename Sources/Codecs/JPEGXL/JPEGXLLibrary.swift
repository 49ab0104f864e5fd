internal import CJXL
import Containers
import ImageCore

/// libjxl, loaded at its first use.
@safe struct JPEGXLLibrary: @unchecked Sendable {
  /// Its functions under their own names. They live as long as the process.
  let functions: UnsafePointer<CJXLFunctions>

  private static let loaded: JPEGXLLibrary? =
    unsafe cjxl_load().map { unsafe JPEGXLLibrary(functions: $0) }

  /// Throws where the computer has not the libjxl that this program was built with.
  static func load() throws(FormatError) -> JPEGXLLibrary {
    guard let loaded else { throw missing }
    return loaded
  }

  private static var missing: FormatError {
    let name = unsafe String(cString: cjxl_library())
    return FormatError(
      .unsupported,
      "JPEG XL needs \(name), which cannot be loaded; install this version of libjxl"
    )
  }

  static var outOfMemory: FormatError {
    FormatError(.tooLarge, "libjxl is out of memory; free some and try again")
  }

  /// Runs libjxl's work on the thread pool of this process; the opaque pointer is the number of
  /// threads, or nil for the pool's own.
  static let runner: JxlParallelRunner = { workers, work, prepare, run, first, end in
    guard let prepare = unsafe prepare, let run = unsafe run, first <= end else { return -1 }
    let workers = unsafe workers.map { Int(bitPattern: $0) } ?? max(Parallel.defaultWorkers, 1)
    let code = unsafe prepare(work, workers)
    guard code == 0 else { return code }
    nonisolated(unsafe) let work = unsafe work
    do throws(PixelError) {
      try Parallel.forEach(count: Int(end - first), workers: workers) { index, worker in
        unsafe run(work, first + UInt32(index), worker)
      }
    } catch { return -1 }
    return 0
  }
}
