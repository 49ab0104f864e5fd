import ArgumentParser
import Develop

/// What may be replaced.
struct OverwriteOptions: ParsableArguments {
  @Flag(help: "Replace files that were not written by rawdev, too.")
  var overwrite = false

  /// The paths of an input and an output, which may be the same file.
  func files(_ input: String, _ output: String) throws -> (input: String, output: String) {
    let target = try StandardStreams.output(output)
    try ExistingOutput.check(target, overwrites: overwrite)
    return (try StandardStreams.inputs([input])[0], target)
  }
}
