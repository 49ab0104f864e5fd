import ArgumentParser
import BracketMerge
import Develop
import Formats
import Foundation
import ImageCore
import Recipes

extension MergeCommand {
  /// Writes the merged samples as DNG.
  func mergeToDNG(_ output: String) throws {
    try refuseDevelopment(of: output)
    let start = ContinuousClock.now
    let inputs = try StandardStreams.inputs(inputs)
    let members = try Self.frames(inputs)
    let reference = try Developer.reference(of: members)
    let target = try overwriting.file(output, of: inputs)
    let ghostMap = try ghostMap.map { try overwriting.file($0, of: inputs) }
    try OutputNames.requireDistinct([target.name] + (ghostMap.map { [$0.name] } ?? []))
    let bits = outputOptions.bits ?? 32
    if dryRun {
      return try result.show(
        Planned(input: reference.name, output: target.name, format: "dng", bits: bits), writing: "",
        "\(reference.name) -> \(target.name): DNG of floats of \(bits) bits, not developed")
    }
    let name = ArgumentPath.name(reference.name)
    Terminal.show("\(name): merging frames", nil, since: start)
    let merged = try merge(members, ghostMap: ghostMap)
    var converter = DNGConverter(workers: threads.count)
    converter.bits = bits == 16 ? .half : .float
    let report = try converter.convert(
      merged, of: members, named: reference.name, to: target
    ) { Terminal.show("\(name): writing", $0, since: start) }
    Terminal.clearProgress()
    Terminal.notes(
      merged.report.notes + report.warnings, advising: report.remedies ?? [],
      about: reference.name)
    let time = String(format: "%.2f", start.duration(to: .now) / .seconds(1))
    try result.show(
      MergeReport(report, merged.report),
      writing: ghostMap?.name == StandardStreams.output ? StandardStreams.output : report.output,
      "\(report.output): \(report.width)x\(report.height) DNG (floats of \(bits) bits), "
        + "\(report.bytes) bytes, verified, \(time) s" + Self.summary(merged.report))
  }

  private struct Planned: Encodable {
    var input, output, format: String
    var bits: Int
  }

  /// Fails for options that set how the picture is developed.
  private func refuseDevelopment(of output: String) throws {
    func refuse(_ option: String) -> ValidationError {
      ValidationError(
        "\(output) keeps merged samples, which are not developed: leave out \(option), and give it "
          + "to rawdev develop")
    }
    if let bits = outputOptions.bits, bits != 16 && bits != 32 {
      throw ValidationError("--bits takes 16 or 32 for the floats of a DNG")
    }
    let recipe = recipes.applied.recipe.first.map { "--recipe \($0)" }
    let set = recipes.set.first.map { "--set \($0)" }
    let metadata = try metadataOptions.metadata == HDRMetadata() ? nil : "HDR metadata"
    let given: [String?] = [
      recipe, set, rawOptions.firstGiven, outputOptions.given(besides: ["bits"]), metadata,
      embedRecipe ? "--embed-recipe" : nil, lenses.database == nil ? nil : "--lensfun-db",
    ]
    if let option = given.compactMap({ $0 }).first { throw refuse(option) }
  }
}
