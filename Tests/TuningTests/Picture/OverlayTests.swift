import Foundation
import HDRRender
import ImageCore
import RawFilter
import Testing

@testable import Tuning

/// What is marked, on scenes whose truth is known.
struct OverlayTests {
  /// Patches of 60 × 60 pixels, from left to right.
  private static func patches(
    _ colors: [SIMD3<Float>], orientation: Orientation = .up
  ) throws -> TuningScene {
    try TuningScene(
      PixelSize(width: 60 * colors.count, height: 60), orientation: orientation
    ) { x, _ in colors[x / 60] }
  }

  /// The color of the middle of each patch, and whether all pixels farther than `edge` from
  /// another patch have it.
  private static func found(
    _ picture: TuningPicture, _ count: Int, edge: Int = 3
  ) -> [(color: SIMD3<UInt8>, isEven: Bool)] {
    let width = picture.size.width / count
    return (0..<count).map { patch in
      let color = picture[patch * width + width / 2, picture.size.height / 2]
      let columns = patch * width + edge..<(patch + 1) * width - edge
      return (
        color,
        columns.allSatisfy { x in
          (0..<picture.size.height).allSatisfy { picture[x, $0] == color }
        }
      )
    }
  }

  private static let black = SIMD3<UInt8>(0, 0, 0)

  @Test(arguments: [1.0, 0.5, 0.3])
  func saturatedChannelsAreMarkedWhereTheyAre(_ scale: Double) async throws {
    // The sensor is full at 2.83.
    let colors: [SIMD3<Float>] = [
      [0.01, 0.01, 0.01], [4, 0.5, 0.5], [0.5, 4, 0.5], [0.5, 0.5, 4], [4, 4, 0.5], [4, 4, 4],
      [2.5, 2.5, 2.5],
    ]
    let marks: [SIMD3<UInt8>?] = [
      nil, [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [255, 255, 255], nil,
    ]
    let scene = try Self.patches(colors)
    let session = try scene.session()
    var settings = RAWSettings()
    // So dark that what is not marked is no mark.
    settings.exposure = -4
    settings.sharpnessAmount = 0
    var request = TuningRequest.full(settings)
    request.fit = PixelSize(
      width: Int(Double(scene.size.width) * scale), height: scene.size.height)
    request.overlays = [.sensorClipping]
    let found = Self.found(try await session.picture(request, viewer: "main"), colors.count)
    for (patch, mark) in marks.enumerated() {
      if let mark {
        #expect(found[patch].color == mark && found[patch].isEven, "patch \(patch)")
      } else {
        #expect(found[patch].color.max() < 200, "patch \(patch)")
      }
    }
  }

  @Test func aSinglePhotositeIsFoundInAReducedPicture() async throws {
    let scene = try TuningScene(PixelSize(width: 600, height: 400)) { x, y in
      x / 4 == 75 && y / 4 == 50 ? SIMD3(repeating: 5) : SIMD3(repeating: 0.02)
    }
    var request = TuningRequest.full()
    request.fit = PixelSize(width: 100, height: 100)
    request.overlays = [.sensorClipping]
    let picture = try await scene.session().picture(request, viewer: "main")
    #expect(picture[50, 33] == SIMD3(255, 255, 255))
    #expect(picture[20, 20].max() < 100 && picture[80, 50].max() < 100)
  }

  @Test func marksFollowRotationAndCrop() async throws {
    let scene = try TuningScene(PixelSize(width: 400, height: 300), orientation: .right) { x, y in
      (100..<140).contains(x) && (200..<230).contains(y)
        ? SIMD3(repeating: 5) : SIMD3(repeating: 0.02)
    }
    let session = try scene.session()
    var settings = RAWSettings()
    for frame in [FrameSettings(), FrameSettings.straightened] {
      settings.frame = frame
      var request = TuningRequest.full(settings)
      let plain = try await session.picture(request, viewer: "main")
      request.overlays = [.sensorClipping]
      let marked = try await session.picture(request, viewer: "main")
      // The bright area is where the picture is bright, except for the width of its edge.
      var (bright, marks, both) = (0, 0, 0)
      for y in 0..<plain.size.height {
        for x in 0..<plain.size.width {
          let (isBright, isMarked) = (
            plain[x, y].min() > 128, marked[x, y] == SIMD3(255, 255, 255)
          )
          bright += isBright ? 1 : 0
          marks += isMarked ? 1 : 0
          both += isBright && isMarked ? 1 : 0
        }
      }
      #expect(bright > 1000 && Double(both) > 0.98 * Double(bright))
      // Two pixels around 40 × 30.
      #expect(Double(marks) < 1.25 * Double(bright))
    }
  }

  @Test func zonesAboveWhiteAreStops() async throws {
    // Exposure multiplies the values by 32; the sensor is not saturated.
    let levels: [Float] = [0.5, 0.95, 1.1, 1.9, 2.2, 3.8, 4.4, 7.6, 8.8, 15.2, 17.6]
    let zones: [Int?] = [nil, nil, 0, 0, 1, 1, 2, 2, 3, 3, 4]
    let scene = try Self.patches(levels.map { SIMD3(repeating: $0 / 32) })
    var settings = RAWSettings()
    (settings.exposure, settings.boostAmount, settings.sharpnessAmount) = (5, 0, 0)
    var request = TuningRequest.full(settings)
    request.overlays = [.highlights]
    let found = Self.found(
      try await scene.session().picture(request, viewer: "main"), levels.count)
    for (patch, zone) in zones.enumerated() {
      if let zone {
        #expect(found[patch].color == TuningMarks.highlights[zone] && found[patch].isEven)
      } else {
        #expect(!TuningMarks.highlights.contains(found[patch].color))
      }
    }
  }

  @Test func colorsOutsideOfTheGamutAreMarked() async throws {
    /// A color of `primaries` in BT.2020.
    func color(_ rgb: SIMD3<Double>, _ primaries: Primaries) -> SIMD3<Float> {
      SIMD3<Float>(primaries.conversion(to: .bt2020) * rgb)
    }
    let colors: [SIMD3<Float>] = [
      color([0.3, 0.3, 0.3], .srgb), color([0.3, 0.05, 0.05], .srgb),
      color([0.05, 0.3, 0.05], .srgb), color([0.02, 0.3, 0.02], .displayP3),
      color([0.3, 0.01, 0.01], .displayP3), [0.01, 0.3, 0.01],
    ]
    let scene = try Self.patches(colors)
    let session = try scene.session()
    var settings = RAWSettings()
    // No look that moves colors.
    (settings.boostAmount, settings.sharpnessAmount) = (0, 0)
    var request = TuningRequest.full(settings)
    request.overlays = [.gamut]
    for (isWide, outside) in [(false, [3, 4, 5]), (true, [5])] {
      request.isWideGamut = isWide
      let found = Self.found(try await session.picture(request, viewer: "main"), colors.count)
      for patch in colors.indices {
        #expect(
          (found[patch].color == TuningMarks.gamut) == outside.contains(patch),
          "patch \(patch), wide: \(isWide)")
        #expect(!outside.contains(patch) || found[patch].isEven)
      }
    }
  }

  @Test func darkeningShowsHighlights() async throws {
    let levels: [Float] = [0.5, 1, 2, 3, 6]
    let scene = try Self.patches(levels.map { SIMD3(repeating: $0 / 32) })
    let session = try scene.session()
    var settings = RAWSettings()
    (settings.exposure, settings.boostAmount, settings.sharpnessAmount) = (5, 0, 0)
    var request = TuningRequest.full(settings)
    for stops in [0, 1, 2, 4] as [Float] {
      (request.isHDR, request.stopsDown) = (true, stops)
      let found = Self.found(
        try await session.picture(request, viewer: "main"), levels.count)
      for (patch, level) in levels.enumerated() {
        let darkened = min(Double(level) / exp2(Double(stops)), 1)
        #expect(abs(Double(found[patch].color.y) - SRGB.signal(linear: darkened) * 255) < 2)
      }
    }
  }

  @Test func headroomDoesWhatItsNameSays() async throws {
    let levels: [Float] = [0.2, 2.6]
    let scene = try Self.patches(levels.map { SIMD3(repeating: $0) })
    let session = try scene.session()
    var brightest: [Float] = []
    for amount in [0, 0.5, 1] as [Float] {
      var settings = RAWSettings()
      settings.extendedDynamicRangeAmount = amount
      var request = TuningRequest.full(settings)
      (request.isHDR, request.form) = (true, .avif)
      let picture = try await session.picture(request, viewer: "main")
      #expect(picture.bytes.prefix(12).suffix(8) == Array("ftypavif".utf8)[...])
      brightest.append(try await session.histogram(settings).contentHeadroom)
      #expect(picture.headroom >= brightest.last ?? 0)
    }
    #expect(brightest[0] <= 1.001 && brightest[1] > 1.1 && brightest[2] > brightest[1] * 1.1)
  }
}

extension FrameSettings {
  fileprivate static let straightened = {
    var frame = FrameSettings()
    (frame.straightenAngle, frame.horizontalPerspective) = (5, 4)
    return frame
  }()
}
