import Testing

@testable import RawData
@testable import RawSensor

@Suite struct LensStrengthsTests {
  /// Barrel distortion with lateral color, of each kind of radial factor.
  static let warps: [LensWarp] = [
    warp { .even(SIMD4(1 + $0, -0.08, 0.01, 0)) },
    warp { .fisheye(SIMD4(1 + $0, 0.05, 0, 0)) },
    warp {
      .powers(
        SIMD16([1 + $0, 0.02, -0.05] + [Double](repeating: 0, count: 13)), range: 0...1,
        isReciprocal: true)
    },
    warp { k in
      .sampled(
        (0...LensWarp.Radial.samples + 1).map {
          1 + k - 0.1 * Double($0) / Double(LensWarp.Radial.samples)
        })
    },
  ]

  private static func warp(_ radial: (Double) -> LensWarp.Radial) -> LensWarp {
    LensWarp(
      planes: [0.002, 0, -0.003].map {
        LensWarp.Plane(radial: radial($0), tangential: SIMD2(0.001 + $0, -0.002))
      }, center: (x: 0.5, y: 0.48))
  }

  private static func strengths(
    _ distortion: Float = 1, _ lateral: Float = 1, _ vignetting: Float = 1
  ) -> LensStrengths {
    var strengths = LensStrengths()
    (strengths.distortion, strengths.lateralColor) = (distortion, lateral)
    strengths.vignetting = vignetting
    return strengths
  }

  private static func scaled(_ warp: LensWarp, _ strengths: LensStrengths) -> LensWarp? {
    for case .warp(let scaled) in strengths.applied(to: [.warp(warp)]) { return scaled }
    return nil
  }

  @Test func allIsTheCorrectionItself() throws {
    for warp in Self.warps {
      #expect(try #require(Self.scaled(warp, Self.strengths())).planes == warp.planes)
    }
  }

  @Test func noneLeavesTheStageOut() {
    let vignette = RadialVignette(
      coefficients: [-0.3, 0.1, 0, 0, 0], center: (0.5, 0.5), isDivisor: true)
    let actions = Self.warps.map { Opcode.Action.warp($0) } + [.vignette(vignette)]
    #expect(Self.strengths(0, 0, 0).applied(to: actions).isEmpty)
    #expect(Self.strengths(0, 0, 1).applied(to: actions).count == 1)
    #expect(Self.strengths(0.5, 0, 0).applied(to: actions).count == Self.warps.count)
  }

  /// Positions are blended for every kind of factor.
  @Test func positionsAreMixed() throws {
    for warp in Self.warps {
      for (distortion, lateral) in [(0.0, 1.0), (1, 0), (0.5, 0.25), (0.3, 1)] {
        let scaled = try #require(
          Self.scaled(warp, Self.strengths(Float(distortion), Float(lateral))))
        for position in [SIMD2(0.1, 0.05), [0.7, -0.5], [-0.6, 0.8], [0, 0]] {
          let green = warp.planes[1].source(position.x, position.y)
          for (index, plane) in warp.planes.enumerated() {
            let own = plane.source(position.x, position.y)
            let wanted =
              position + Double(Float(distortion)) * (green - position)
              + Double(Float(lateral)) * (own - green)
            let shown = scaled.planes[min(index, scaled.planes.count - 1)]
              .source(position.x, position.y)
            // Sampled factors are linear between their samples.
            let error = shown - wanted
            #expect((error * error).sum().squareRoot() < 1e-6)
          }
        }
      }
    }
  }

  @Test func vignettingGrowsWithItsStrength() throws {
    let vignette = RadialVignette(
      coefficients: [-0.3, 0.1, 0, 0, 0], center: (0.5, 0.5), isDivisor: true)
    let amounts: [Float] = [0.25, 0.5, 0.75, 1]
    let firsts = try amounts.map { amount -> Double in
      let actions = Self.strengths(1, 1, amount).applied(to: [.vignette(vignette)])
      guard case .vignette(let scaled)? = actions.first else {
        throw LensStrengthsError()
      }
      #expect(scaled.isDivisor)
      return scaled.coefficients[0]
    }
    #expect(zip(firsts, firsts.dropFirst()).allSatisfy { $0 > $1 })
    #expect(firsts[3] == -0.3)
  }

  private struct LensStrengthsError: Error {}
}
