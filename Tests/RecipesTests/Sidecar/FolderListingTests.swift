import Testing

@testable import Recipes

struct FolderListingTests {
  private func files(_ names: [String], of raw: String, _ ending: String) -> [String] {
    let (stem, own) = (Array(raw.utf8.dropLast(4)), raw.utf8.suffix(4))
    let found = FolderListing(names: names.map { Array($0.utf8) })
      .files(stem, own + Array(ending.utf8), exact: own.count)
    return found.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Raws whose names differ by case have sidecars of their own.
  @Test func caseTellsRawsApart() {
    let raws = ["photo.DNG", "photo.dng"]
    let sidecar = "photo.DNG.rawdev.yaml"
    #expect(files(raws + [sidecar], of: "photo.DNG", ".rawdev.yaml") == [sidecar])
    #expect(files(raws + [sidecar], of: "photo.dng", ".rawdev.yaml") == [])
    // Where there is only one raw, its sidecar may come from any program.
    #expect(files(["photo.dng", sidecar], of: "photo.dng", ".rawdev.yaml") == [sidecar])
    let both = [sidecar, "photo.dng.rawdev.yaml"]
    #expect(files(raws + both, of: "photo.dng", ".rawdev.yaml") == [both[1]])
  }
}
