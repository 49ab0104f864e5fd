import Develop
import Foundation
import RawFilter
import Recipes
import SystemPackage

/// The outputs of a source.
struct SourcePlan: Sendable {
  /// The recipe to develop by.
  var recipe: Recipe
  /// The recipe in canonical form: equal recipes have equal texts. Part of the journal's keys.
  var canonical: String
  /// Where it has its entry in a series; nil for none.
  var series: SeriesReference?
  /// See `Developer.sidecarDescription`.
  var description: String?
  /// The paths of its outputs.
  var outputs: OutputPlan
  /// The files that the recipe reads in addition to the source.
  var inputs: [FilePath]
  /// Settings of another program's sidecar that are not applied, one line each.
  var notes: [String]
  /// Problems of its recipes and sidecars, one line each.
  var warnings: [String]

  /// Throws where the file at `path`, with this `status`, is an input.
  func requireNoInput(
    _ path: FilePath, _ status: FileStatus, _ lensDatabase: String?
  ) throws(BatchError) {
    let files = inputs + [lensDatabase].compactMap { $0.map { FilePath(text: $0) } }
    guard files.contains(where: { FileStatus($0)?.isSameFile(as: status) ?? false }) else { return }
    throw BatchError(
      .exists, "\(path.shown) is a file that the development reads; name another folder")
  }
}

/// Plans sources by their recipes, in the form that journals compare. Not synchronized: for one
/// thread.
final class SourcePlanner {
  private let recipes: RecipePlanner
  private var canonicalForms: [Recipe: String] = [:]
  /// Digests that represent the contents of the files that recipes name.
  private var contents: [FilePath: String] = [:]

  private let colorMatrix: [Double]?

  /// `colorMatrix`: see ``BatchOptions/colorMatrix``.
  init(_ recipes: RecipePlanner, colorMatrix: [Double]? = nil) {
    (self.recipes, self.colorMatrix) = (recipes, colorMatrix)
  }

  /// The folder that relative paths start from.
  var workingFolder: FilePath { recipes.workingFolder }

  /// Drops cached recipes, sidecars and camera profiles: the next plan reads them again.
  func forget() {
    recipes.forget()
    (canonicalForms, contents) = ([:], [:])
  }

  /// Throws where recipes, sidecars, camera profiles or names of `source` cannot be used.
  func plan(_ source: RawSource, _ info: SourceInfo) throws -> SourcePlan {
    let plan = try recipes.plan(source, info)
    let description = plan.resolved.description.map { String(decoding: $0, as: UTF8.self) }
    let series = plan.recipe.series(of: info, colorMatrix: colorMatrix)
    var canonical = try canonical(plan.recipe) + (description ?? "")
    if let series {
      let findings = try self.series(series.path).entry(of: series.key)?.findings
      canonical += "\nseries " + (findings?.text ?? "none")
    }
    return SourcePlan(
      recipe: plan.recipe, canonical: canonical, series: series, description: description,
      outputs: OutputPlan(plan.outputs), inputs: inputs(of: plan.recipe),
      notes: plan.resolved.notes, warnings: plan.resolved.warnings)
  }

  /// The file of a series at the path in a recipe, without entries where it does not exist.
  func series(_ path: String) throws -> SeriesFile {
    do { return try SeriesFile.read(workingFolder.pushing(FilePath(path)).string) } catch {
      throw BatchError(.cannotRead, "\(error.path ?? path): \(error.message)")
    }
  }

  private func inputs(of recipe: Recipe) -> [FilePath] {
    let effective = recipe.effective
    return (effective.raw.inputPaths + recipe.outputs.values.compactMap(\.iccProfile))
      .map { recipes.workingFolder.pushing(FilePath($0)) }
  }

  /// The recipe as JSON with sorted keys, and the digests of the files that it names:
  /// camera profile, look, the raws of white and exposure, and the profiles of outputs.
  private func canonical(_ recipe: Recipe) throws -> String {
    if let known = canonicalForms[recipe] { return known }
    let effective = recipe.effective
    var text = String(decoding: try JSONEncoder.canonical().encode(effective), as: UTF8.self)
    let profiles = recipe.outputs.sorted { $0.key < $1.key }.compactMap(\.value.iccProfile)
    // Of a series the entry counts.
    let inputs = effective.raw.inputPaths.filter { $0 != effective.raw.series }
    for name in inputs + profiles {
      let path = recipes.workingFolder.pushing(FilePath(name))
      do { text += try content(of: path) } catch {
        // The error belongs to the raw, so the message names the file.
        throw BatchError(.cannotRead, "\(path.shown): \(error.message)")
      }
    }
    if canonicalForms.count >= 256 { canonicalForms = [:] }
    canonicalForms[recipe] = text
    return text
  }

  /// The digest of the file at `path`; of one that is longer than ``BatchLimits/digestBytes`` the
  /// length and the modification time, as reading it would hold up the workers.
  private func content(of path: FilePath) throws(BatchError) -> String {
    if let known = contents[path] { return known }
    let content: String
    if let status = FileStatus(path), status.kind == .regular,
      status.bytes > BatchLimits.digestBytes
    {
      content = "\(status.bytes) bytes of \(status.changed)"
    } else {
      content = try Digest.of(file: path, longest: Int64(BatchLimits.digestBytes))
    }
    if contents.count >= 256 { contents = [:] }
    contents[path] = content
    return content
  }
}
