import Foundation
import RawFilter

/// Compares every stage of DNG rendering with the reference renderer's values.
///
///     dng-reference SHARED        (SHARED holds dng/ and raws/ with NAME.reference.json)
///
/// Prints a Markdown row for each DNG that has reference values: the largest error of each kind as
/// relative to the expected value. Ends with 1 when one is above its limit (see ``Limits``).
@main
struct DNGReference {
  private static let columns = [
    "stage 2", "stage 2 pixels", "stage 3", "stage 3 pixels", "scene mean", "scene cell",
    "scene pixels", "no map mean", "no map cell", "no map pixels",
    "no tables mean", "no tables cell", "no tables pixels",
  ]

  static func main() {
    guard CommandLine.arguments.count == 2 else {
      FileHandle.standardError.write(Data("usage: dng-reference SHARED\n".utf8))
      exit(2)
    }
    let root = URL(filePath: CommandLine.arguments[1])
    let files = ["dng", "raws"].flatMap { folder in
      let all = try? FileManager.default.contentsOfDirectory(
        at: root.appending(path: folder), includingPropertiesForKeys: nil)
      return (all ?? []).filter { $0.pathExtension.lowercased() == "dng" }
        .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
    print("| file | " + columns.joined(separator: " | ") + " | verdict |")
    print(String(repeating: "|---", count: columns.count + 2) + "|")
    var (good, missed) = (0, 0)
    for file in files {
      guard let (row, isGood) = row(file) else { continue }
      print(row)
      fflush(nil)
      if isGood { good += 1 } else { missed += 1 }
    }
    print("\n\(good) files within the limits, \(missed) not")
    exit(missed == 0 && good > 0 ? 0 : 1)
  }

  /// A row and whether the file is within its limits; nil for files without reference values.
  private static func row(_ url: URL) -> (String, Bool)? {
    let name = url.deletingPathExtension().lastPathComponent
    do {
      guard let reference = try ReferenceValues(beside: url), reference.scene != nil else {
        return nil
      }
      let found = try comparisons(url, reference)
      let cells = columns.map { column in
        found.first { $0.name == column }?.text ?? ""
      }
      let others = found.filter { !columns.contains($0.name) && !$0.isGood }
      let isGood = found.allSatisfy(\.isGood)
      let verdict =
        isGood
        ? "ok"
        : "**misses** "
          + others.map { "\($0.name) \($0.text)" }.joined(separator: ", ")
      return ("| \(name) | " + cells.joined(separator: " | ") + " | \(verdict) |", isGood)
    } catch {
      let cells = String(repeating: " |", count: columns.count)
      return ("| \(name) |\(cells) **refused**: \(error) |", false)
    }
  }

  private static func comparisons(
    _ url: URL, _ reference: ReferenceValues
  ) throws -> [Comparison] {
    let filter = try RAWFilter(url: url)
    let stages = StageChecks(reference: reference)
    var found = stages.compare(stage2: try filter.stage2())
    found += try stages.compare(stage3: try filter.stage3())
    let scene = SceneChecks(reference: reference)
    if let wanted = reference.scene {
      // The reference mapped unclipped values by the tables as for a high-range profile.
      let tables = reference.sceneWithoutTables == nil ? ProfileTables.asStored : .highRange
      let image = try SceneChecks.render(filter, tables: tables)
      found += scene.compare(image, with: wanted, name: "scene")
    }
    if let wanted = reference.sceneWithoutTables {
      let image = try SceneChecks.render(filter, tables: .without)
      found += scene.compare(image, with: wanted, name: "no tables")
    }
    if let wanted = reference.sceneWithoutMap {
      let image = try SceneChecks.render(filter, hasMap: false)
      found += scene.compare(image, with: wanted, name: "no map")
    }
    for (name, profile) in (reference.profiles ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let wanted = profile.sceneLinear else { continue }
      let image = try SceneChecks.render(filter, profile: name)
      found += scene.compare(image, with: wanted, name: "profile \(name)")
    }
    return found
  }
}
