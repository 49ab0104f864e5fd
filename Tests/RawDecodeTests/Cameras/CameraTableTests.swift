import ImageCore
import Testing

@testable import RawDecode

@Suite struct CameraTableTests {
  private let cameras = CameraTable.cameras

  /// Each line of the data is a parsed camera or value.
  @Test func allOfItIsRead() {
    let lines = CameraTable.data.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 96 })
    #expect(cameras.count == lines.count { !$0.hasPrefix(" ") })
    #expect(cameras.count >= 250)
    func count(_ word: String) -> Int { lines.count { $0.hasPrefix("  \(word) ") } }
    #expect(count("D65") == cameras.count { $0.daylight != nil })
    #expect(count("A") == cameras.count { $0.tungsten != nil })
    #expect(count("also") == cameras.count { !$0.aliases.isEmpty })
    #expect(count("black") == cameras.count { $0.black != nil })
    #expect(count("white") == cameras.count { $0.white != nil })
    #expect(count("crop") == cameras.reduce(0) { $0 + ($1.crops?.value.count ?? 0) })
    let known: Set = ["D65", "A", "also", "black", "white", "crop"]
    for line in lines where line.hasPrefix("  ") && !line.hasPrefix("    ") {
      #expect(known.contains(String(line.dropFirst(2).prefix { $0 != " " })), "\(line)")
    }
  }

  @Test func namesAreUniqueAndSorted() {
    var seen: [CameraKey: String] = [:]
    for camera in cameras {
      for key in Set(camera.keys) {
        #expect(seen[key] == nil, "\(camera.name) and \(seen[key] ?? "")")
        seen[key] = camera.name
      }
    }
    for (one, next) in zip(cameras, cameras.dropFirst()) {
      let makers = (one.make.lowercased(), next.make.lowercased())
      #expect(makers.0 <= makers.1, "\(one.name), \(next.name)")
      if makers.0 == makers.1 {
        #expect(
          natural(one.model).lexicographicallyPrecedes(natural(next.model)),
          "\(one.name), \(next.name)")
      }
    }
  }

  /// Text and numbers alternately, numbers with leading zeros: R5 before R10.
  private func natural(_ model: String) -> [String] {
    var parts = [""]
    for character in model.lowercased() {
      if character.isNumber == (parts.count % 2 == 1) { parts.append("") }
      parts[parts.count - 1].append(character)
    }
    return parts.enumerated().map { index, part in
      index % 2 == 0 ? part : String(repeating: "0", count: 9 - part.count) + part
    }
  }

  @Test func matricesArePlausible() {
    for camera in cameras {
      for (matrix, white) in [
        (camera.daylight, Chromaticity.d65), (camera.tungsten, Chromaticity(x: 0.4476, y: 0.4074)),
      ] {
        guard let matrix else { continue }
        #expect(
          matrix.value.count == 9 && matrix.value.allSatisfy { abs($0) < 4 }, "\(camera.name)")
        let m = Matrix3(matrix.value)
        #expect(m.inverse != nil, "\(camera.name)")
        // Each channel responds to the white, green the most except for a factor.
        let neutral = m * white.xyz
        #expect(neutral.min() > 0.05 && neutral.max() < 3, "\(camera.name) \(neutral)")
        // Each channel responds most to the primary of its color.
        let rgb = m * Primaries.srgb.toXYZ
        for c in 0..<3 { #expect(rgb[c, c] > 0, "\(camera.name)") }
        #expect(!matrix.origin.isEmpty)
      }
      #expect(camera.tungsten == nil || camera.daylight != nil, "\(camera.name)")
    }
  }

  @Test func levelsAndAreasArePlausible() {
    for camera in cameras {
      #expect((2014...2030).contains(camera.year), "\(camera.name)")
      #expect(
        ["ARW", "CR3", "DNG", "GPR", "IIQ", "NEF", "ORF", "PEF", "RAF", "RW2", "RWL", "3FR"]
          .contains(camera.files), "\(camera.name) \(camera.files)")
      for levels in [camera.black, camera.white] {
        guard let levels else { continue }
        #expect(levels.value.first?.iso == 0, "\(camera.name)")
        #expect(levels.value.map(\.iso) == levels.value.map(\.iso).sorted(), "\(camera.name)")
        #expect(
          levels.value.allSatisfy {
            [1, 3, 4].contains($0.values.count) && $0.values.allSatisfy { $0 >= 0 && $0 < 65536 }
          }, "\(camera.name)")
      }
      for area in (camera.crops?.value ?? []) {
        #expect(area.numbers.count == 4 && [0, 2].contains(area.frame.count), "\(camera.name)")
      }
    }
  }

  @Test func linesThatMakeNoSenseAreLeftOut() {
    let cameras = CameraTable.parse(
      "X\nA | B | year | DNG\nA | B | 2020 | RAF | lossy\n  D65 1 2 3 | who\n  odd 1 | who\n"
        + "  white 0:9 800:7\n    1600:5/6/7/8 | who [others]\n  white 0: | who\n  also C; D E")
    #expect(cameras.count == 1)
    #expect(cameras[0].daylight == nil && cameras[0].aliases == ["C", "D E"])
    #expect(cameras[0].white?.value.map(\.iso) == [0, 800, 1600])
    #expect(cameras[0].white?.value.last?.values == [5, 6, 7, 8])
    #expect(cameras[0].white?.origin == "who" && cameras[0].notes == ["lossy"])
  }

  /// Only the maker's part of the table is parsed.
  @Test func everyCameraIsFoundByEachOfItsNames() {
    for camera in cameras {
      for key in camera.keys {
        #expect(CameraTable.camera([key])?.keys.contains(key) == true, "\(camera.name)")
      }
    }
  }

  /// Cameras for which LibRaw 0.20 uses a related camera's colors.
  @Test(arguments: [
    ("Canon", "EOS R5"), ("Canon", "EOS R6m2"), ("Canon", "EOS R6 Mark III"),
    ("Sony", "ILCE-7M4"), ("Sony", "ILCE-7C"), ("Sony", "ILCE-1"), ("Sony", "ILCE-7RM5"),
    ("Sony", "ILCE-6700"), ("Fujifilm", "X-S10"), ("Fujifilm", "X100VI"), ("Fujifilm", "X-T5"),
    ("Panasonic", "DC-G9M2"), ("Pentax", "K-3 Mark III"), ("Nikon", "Z5_2"), ("Nikon", "Z 9"),
    ("OM Digital Solutions", "OM-1MarkII"),
  ])
  func newCamerasHaveColors(_ make: String, _ model: String) throws {
    let camera = try #require(CameraTable.camera([CameraKey(make: make, model: model)]))
    #expect(camera.daylight != nil)
  }
}
