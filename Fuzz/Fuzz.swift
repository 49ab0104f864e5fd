import Foundation

/// libFuzzer's loop, which calls `test` with ever other bytes.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// libFuzzer's own changes of bytes.
@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ start: UnsafeMutablePointer<UInt8>, _ length: Int, _ limit: Int) -> Int

/// Changes an input in its place, every other one by its structure. Called by libFuzzer.
@_cdecl("LLVMFuzzerCustomMutator")
func changeInput(
  _ start: UnsafeMutablePointer<UInt8>, _ length: Int, _ limit: Int, _ seed: UInt32
) -> Int {
  var random = Draws(seed: seed)
  let bytes = Array(UnsafeBufferPointer(start: start, count: length))
  guard Bool.random(using: &random),
    let changed = Mutator.mutated(bytes, for: Fuzz.target, limit: limit, &random), !changed.isEmpty
  else { return mutateBytes(start, length, limit) }
  start.update(from: changed, count: changed.count)
  return changed.count
}

/// Fuzzes one target: `rawdev-fuzz TARGET [options of libFuzzer] [folder or file …]`. Without
/// arguments it prints the targets. Made and started by `Scripts/fuzz`.
@main enum Fuzz {
  nonisolated(unsafe) fileprivate static var target = FuzzTarget.tiff

  /// By this a process that libFuzzer starts, which gets its options alone, knows the target.
  private static let variable = "RAWDEV_FUZZ_TARGET"

  static func main() {
    let inherited = ProcessInfo.processInfo.environment[variable]
    guard let name = inherited ?? CommandLine.arguments.dropFirst().first else {
      for target in FuzzTarget.allCases { print(target.rawValue) }
      return
    }
    guard let named = FuzzTarget(rawValue: name) else {
      FileHandle.standardError.write(Data("no such target; see Fuzz/README.md\n".utf8))
      exit(2)
    }
    target = named
    var arguments = CommandLine.unsafeArgv
    var count = CommandLine.argc
    if inherited == nil {
      setenv(variable, name, 1)
      arguments += 1
      arguments[0] = CommandLine.unsafeArgv[0]
      count -= 1
    }
    exit(
      runDriver(&count, &arguments) { start, length in
        // Want of memory is an end like any other.
        try? Fuzz.target.run(Array(UnsafeBufferPointer(start: start, count: length)))
        return 0
      })
  }
}
