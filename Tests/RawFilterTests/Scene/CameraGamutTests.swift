import Foundation
import ImageCore
import TestSupport
import Testing

@testable import HDRRender
@testable import RawFilter

@Suite struct CameraGamutTests {
  /// A camera in whose matrix blue takes much from red, as most do.
  static let typical = CameraGamut(matrix(blue: SIMD3(-0.1, -0.3, 1)))

  static func matrix(blue: SIMD3<Double>) -> Matrix3 {
    Matrix3(SIMD3(1, 0, blue.x), SIMD3(0, 1, blue.y), SIMD3(0, 0, blue.z))
  }

  static func map(_ color: SIMD3<Float>, _ gamut: CameraGamut? = typical) -> SIMD3<Float> {
    OneColorRow.run(color) { gamut?.apply($0) }
  }

  @Test func colorsInsideStayBitForBit() {
    let steps = stride(from: Float(0), through: 1.5, by: 0.05).map { $0 }
    for r in steps {
      for g in steps {
        for b in steps {
          let color = SIMD3(r, g, b)
          guard color.min() >= 0.031 * color.max(), r >= 0.23 * b || g >= 0.33 * b else { continue }
          #expect(Self.map(color) == color)
        }
      }
    }
  }

  /// The brightest value of a picture is known before this stage.
  @Test func theLargestChannelStays() {
    for color in GamutColors.around where color.max() > 0 {
      let out = Self.map(color)
      #expect(abs(out.max() - color.max()) <= 1e-6 * color.max())
      #expect(out.x >= -0.46 * min(out.y, out.z) && out.y >= 0 && out.z >= 0, "\(color)")
    }
    #expect(Self.map(SIMD3(-0.1, -0.2, -0.3)) == SIMD3(0, 0, 0))
    #expect(Self.map(SIMD3(0, 0, 0)) == SIMD3(0, 0, 0))
  }

  @Test func neighborsStayNeighbors() {
    for color in GamutColors.around where color.max() > 0.1 {
      for plane in 0..<3 {
        var near = color
        near[plane] += 0.001
        let step = Self.map(near) - Self.map(color)
        #expect(max(abs(step.x), abs(step.y), abs(step.z)) < 0.004, "\(color)")
      }
    }
  }
}

/// Colors of every kind around BT.2020.
private enum GamutColors {
  static let around: [SIMD3<Float>] = {
    let steps = stride(from: Float(-0.45), through: 1.05, by: 0.125).map { $0 }
    return steps.flatMap { r in steps.flatMap { g in steps.map { b in SIMD3(r, g, b) } } }
  }()
}

/// Spectra of blue lamps through the sensitivities of 52 cameras, known on both sides: what the
/// camera records, and what the eye sees. Sensitivities, color matching functions and reflectances
/// are from rawtoaces-data 1.1.0 (Apache-2.0), in `../shared/ssf`.
@Suite struct CameraGamutLampTests {
  /// The sensitivities of one camera under D65, and the matrix that is fitted to reflectances.
  struct Camera {
    let name: String
    let sensitivities: [SIMD3<Double>]
    let neutral: SIMD3<Double>
    let matrix: Matrix3

    /// Balanced camera values of a spectrum.
    func values(_ spectrum: [Double]) -> SIMD3<Double> {
      Spectra.response(spectrum, sensitivities) / neutral
    }
  }

  /// Everything of the folder, from 380 to 780 nm in steps of 5.
  struct Spectra {
    let observer: [SIMD3<Double>]
    let reflectances: [[Double]]
    let cameras: [Camera]

    static let wavelengths = stride(from: 380, through: 780, by: 5).map { $0 }
    /// CIE standard illuminant D65 (CIE 15), 100 at 560 nm.
    static let d65 = [
      49.9755, 52.3118, 54.6482, 68.7015, 82.7549, 87.1204, 91.486, 92.4589, 93.4318, 90.057,
      86.6823, 95.7736, 104.865, 110.936, 117.008, 117.41, 117.812, 116.336, 114.861, 115.392,
      115.923, 112.367, 108.811, 109.082, 109.354, 108.578, 107.802, 106.296, 104.79, 106.239,
      107.689, 106.047, 104.405, 104.225, 104.046, 102.023, 100, 98.1671, 96.3342, 96.0611,
      95.788, 92.2368, 88.6856, 89.3459, 90.0062, 89.8026, 89.5991, 88.6489, 87.6987, 85.4936,
      83.2886, 83.4939, 83.6992, 81.863, 80.0268, 80.1207, 80.2146, 81.2462, 82.2778, 80.281,
      78.2842, 74.0027, 69.7213, 70.6652, 71.6091, 72.979, 74.349, 67.9765, 61.604, 65.7448,
      69.8856, 72.4863, 75.087, 69.3398, 63.5927, 55.0054, 46.4182, 56.6118, 66.8054, 65.0941,
      63.3828,
    ]

    static func response(_ spectrum: [Double], _ by: [SIMD3<Double>]) -> SIMD3<Double> {
      zip(spectrum, by).reduce(SIMD3()) { $0 + $1.0 * $1.1 }
    }

    /// The columns of one file by wavelength.
    private static func table(_ path: String) throws -> [[Double]] {
      let file = try JSONSerialization.jsonObject(with: Data(SharedFiles.bytes(path)))
      let spectra = (file as? [String: Any])?["spectral_data"] as? [String: Any]
      let data = (spectra?["data"] as? [String: Any])?["main"] as? [String: [Double]]
      return try wavelengths.map { try #require(data?["\($0)"]) }
    }

    private static func triples(_ path: String) throws -> [SIMD3<Double>] {
      try table(path).map { SIMD3($0[0], $0[1], $0[2]) }
    }

    init() throws {
      let observer = try Self.triples("ssf/cmf/cmf_1931.json")
      let samples = try Self.table("ssf/training/training_spectral.json")
      let reflectances = samples[0].indices.map { patch in samples.map { $0[patch] } }
      (self.observer, self.reflectances) = (observer, reflectances)
      let folder = try SharedFiles.path("ssf/camera")
      cameras = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
        let sensitivities = try Self.triples("ssf/camera/" + name)
        let neutral = Self.response(Self.d65, sensitivities)
        let lit = reflectances.map { zip($0, Self.d65).map(*) }
        return Camera(
          name: name, sensitivities: sensitivities, neutral: neutral,
          matrix: try #require(
            Self.fitted(
              lit.map { Self.response($0, sensitivities) / neutral },
              lit.map { Self.color($0, observer) })))
      }
    }

    /// Linear BT.2020 of a spectrum, for which D65 is 1.
    static func color(_ spectrum: [Double], _ observer: [SIMD3<Double>]) -> SIMD3<Double> {
      Primaries.bt2020.fromXYZ * response(spectrum, observer) / response(d65, observer).y
    }

    /// The matrix of least squares from camera values to colors that keeps white.
    private static func fitted(
      _ camera: [SIMD3<Double>], _ colors: [SIMD3<Double>]
    ) -> Matrix3? {
      var (squares, products) = ([SIMD3<Double>](repeating: .zero, count: 3), [SIMD3<Double>]())
      for value in camera { for i in 0..<3 { squares[i] += value[i] * value } }
      for i in 0..<3 {
        products.append(zip(camera, colors).reduce(SIMD3()) { $0 + $1.0 * $1.1[i] })
      }
      guard let inverse = Matrix3(squares[0], squares[1], squares[2]).inverse else { return nil }
      let toWhite = inverse * SIMD3(1, 1, 1)
      let rows = products.map { product in
        let free = inverse * product
        return free + toWhite * ((1 - free.sum()) / toWhite.sum())
      }
      return Matrix3(rows[0], rows[1], rows[2])
    }

    /// A lamp of `peak` nm, 20 nm wide, mixed with the fraction `white` of D65; its largest of X,
    /// Y, Z is 1.
    func lamp(_ peak: Double, white: Double) -> [Double] {
      let spectrum = Self.wavelengths.map { exp(-0.5 * pow((Double($0) - peak) * 2.35482 / 20, 2)) }
      let unit = Self.response(Self.d65, observer).y
      let scale = unit / Self.response(spectrum, observer).max()
      return zip(spectrum, Self.d65).map { $0 * scale * (1 - white) + $1 * white }
    }
  }

  static func hue(_ color: SIMD3<Double>) -> Double {
    let lab = Oklab.lab(color)
    return atan2(lab.z, lab.y) * 180 / .pi
  }

  /// What is drawn of a lamp in sRGB, as linear BT.2020.
  static func drawn(_ color: SIMD3<Double>, _ gamut: CameraGamut) -> SIMD3<Double> {
    let scene = SIMD3<Double>(CameraGamutTests.map(SIMD3<Float>(color), gamut))
    let srgb = SIMD3<Float>(Primaries.bt2020.conversion(to: .srgb) * scene)
    let mapping = GamutMapping(primaries: .srgb, headroom: 1)
    return Primaries.srgb.conversion(to: .bt2020)
      * SIMD3<Double>(OneColorRow.run(srgb) { mapping.apply($0) })
  }

  @Test func blueLampsHaveTheHueThatTheEyeSees() throws {
    let spectra = try Spectra()
    let w = Primaries.bt2020.luminance
    var (sum, before, count, negative) = (0.0, 0.0, 0.0, 0)
    var worst = (error: 0.0, name: "")
    for camera in spectra.cameras {
      let gamut = try #require(CameraGamut(camera.matrix))
      var own = 0.0
      for peak in stride(from: 440.0, through: 480, by: 10) {
        for white in [0, 0.05, 0.1, 0.2, 0.4] {
          let spectrum = spectra.lamp(peak, white: white)
          let seen = Self.hue(Spectra.color(spectrum, spectra.observer))
          func error(_ color: SIMD3<Double>) -> Double {
            abs((Self.hue(color) - seen).remainder(dividingBy: 360))
          }
          let recorded = camera.matrix * camera.values(spectrum) * 0.5
          let scene = SIMD3<Double>(CameraGamutTests.map(SIMD3<Float>(recorded), gamut))
          #expect((scene * w).sum() > 0, "\(camera.name), \(peak) nm")
          if (recorded * w).sum() < 0 { negative += 1 }
          own += error(Self.drawn(recorded, gamut))
          before += error(recorded)
          count += 1
        }
      }
      sum += own
      if own / 25 > worst.error { worst = (own / 25, camera.name) }
    }
    print(
      "blue lamps, \(spectra.cameras.count) cameras: mean error of hue \(sum / count) degrees,"
        + " by the matrix \(before / count); worst \(worst); negative luminance by it: \(negative)"
    )
    #expect(spectra.cameras.count >= 52)
    #expect(sum / count <= 6)
  }

  /// From white to a pure lamp: ever more saturated, without a step.
  @Test func lampsSaturateWithoutSteps() throws {
    let spectra = try Spectra()
    for camera in spectra.cameras {
      let gamut = try #require(CameraGamut(camera.matrix))
      for peak in stride(from: 440.0, through: 480, by: 10) {
        var (last, saturated) = (SIMD3<Double>?.none, 0.0)
        for step in 0...250 {
          let spectrum = spectra.lamp(peak, white: 1 - Double(step) / 250)
          let recorded = camera.matrix * camera.values(spectrum) * 0.5
          let lab = Oklab.lab(Self.drawn(recorded, gamut))
          if let last {
            let change = lab - last
            #expect(
              (change * change).sum().squareRoot() < 0.03, "\(camera.name), \(peak), \(step)")
          }
          last = lab
          let scene = Oklab.lab(
            SIMD3<Double>(CameraGamutTests.map(SIMD3<Float>(recorded), gamut)))
          let saturation = hypot(scene.y, scene.z) / scene.x
          #expect(saturation > saturated - 1e-3, "\(camera.name), \(peak), \(step)")
          saturated = saturation
        }
      }
    }
  }

  /// All but the bluest, and the yellowest for which the matrix leaves no blue.
  @Test func surfacesStayAsTheyAre() throws {
    let spectra = try Spectra()
    var (unchanged, changed) = (0, 0)
    for camera in spectra.cameras {
      let gamut = try #require(CameraGamut(camera.matrix))
      for (index, reflectance) in spectra.reflectances.enumerated() {
        let spectrum = zip(reflectance, Spectra.d65).map(*)
        let color = SIMD3<Float>(camera.matrix * camera.values(spectrum))
        let change = CameraGamutTests.map(color, gamut) - color
        #expect(
          change.max() <= 0.013 * color.max() && change.min() >= 0, "\(camera.name), \(index)")
        if change != .zero { changed += 1 } else { unchanged += 1 }
      }
    }
    #expect(changed * 50 < unchanged, "\(changed) of \(unchanged)")
  }
}
