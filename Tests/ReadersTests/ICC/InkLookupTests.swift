import Containers
import Foundation
import ImageCore
import TestSupport
import Testing

@testable import Readers

@Suite struct InkLookupTests {
  /// sRGB of 0…255 from linear BT.2020.
  private func srgb(_ color: SIMD3<Float>) -> SIMD3<Double> {
    let linear = Primaries.bt2020.conversion(to: .srgb) * SIMD3<Double>(color)
    return SIMD3((0..<3).map { 255 * SRGB.signal(linear: min(max(linear[$0], 0), 1)) })
  }

  /// The largest of three differences, whichever sign.
  private static func maximum(_ off: SIMD3<Float>) -> Float { max(off.max(), -off.min()) }

  private func linear(
    _ inks: [[Double]], _ profile: [UInt8]?, bits: Int = 16
  ) throws -> [SIMD3<Float>] {
    var notes: [String] = []
    let color = InkLookup.color(profile, &notes)
    #expect(notes.count == 1 && color.namedPrimaries == nil)
    let top = Double(1 << bits - 1)
    return try LinearizationTests.linear(
      inks.joined().map { UInt16(($0 * top).rounded()) }, bits: bits, channels: 4, color)
  }

  /// Every mix of five amounts, in floats here and in integers there.
  @Test(arguments: [8, 16]) func tablesAreThoseOfLCMS(bits: Int) throws {
    let profile = LCMSTruth.inkProfile()
    let codes = (0..<625).flatMap { index in
      [1, 5, 25, 125].map { UInt8([0, 40, 128, 200, 255][index / $0 % 5]) }
    }
    let truth = try #require(LCMSTruth.print(profile, codes))
    let inks = (0..<625).map { i in (0..<4).map { Double(codes[4 * i + $0]) / 255 } }
    for (i, linear) in try linear(inks, profile, bits: bits).enumerated() {
      let ours = srgb(linear)
      for c in 0..<3 { #expect(abs(ours[c] - Double(truth[3 * i + c])) < 1.01, "\(inks[i])") }
    }
  }

  /// Whatever the paper is, it is white, and the darkest print is black.
  @Test func paperIsWhite() throws {
    for profile in [LCMSTruth.inkProfile(), nil] {
      let ends = try linear([[0, 0, 0, 0], [1, 1, 1, 1]], profile)
      #expect(Self.maximum(ends[0] - 1) < 2e-3)
      // LittleCMS finds the black of profiles that have tables to inks, too.
      #expect(Self.maximum(ends[1]) < (profile == nil ? 1e-5 : 0.02))
    }
  }

  /// Solid inks of FOGRA39, the same aims, as its profile shows them in sRGB: numbers that printers
  /// publish.
  @Test func assumedInksLookAsPrinted() throws {
    let published: [([Double], SIMD3<Double>)] = [
      ([1, 0, 0, 0], SIMD3(0, 159, 227)), ([0, 1, 0, 0], SIMD3(230, 0, 126)),
      ([0, 0, 1, 0], SIMD3(255, 237, 0)), ([0, 1, 1, 0], SIMD3(227, 6, 19)),
      ([1, 0, 1, 0], SIMD3(0, 150, 64)), ([0, 0, 0, 1], SIMD3(29, 29, 27)),
    ]
    let linear = try linear(published.map(\.0), nil)
    for (linear, (inks, color)) in zip(linear, published) {
      let off = srgb(linear) - color
      #expect(Self.maximum(SIMD3<Float>(off)) <= 4, "\(inks): \(srgb(linear))")
    }
  }

  /// More ink is darker, to the end.
  @Test func assumedInksAreMonotone() throws {
    for ink in 0..<4 {
      let wedge = (0...100).map { step in (0..<4).map { $0 == ink ? Double(step) / 100 : 0 } }
      let luminance = try linear(wedge, nil).map {
        (Primaries.bt2020.luminance * SIMD3<Double>($0)).sum()
      }
      #expect(zip(luminance, luminance.dropFirst()).allSatisfy { $0 > $1 })
    }
  }

  /// Profiles of other devices do not apply to inks, nor ink profiles to RGB.
  @Test func otherProfilesAreLeftOut() throws {
    var notes: [String] = []
    let color = InkLookup.color(LCMSTruth.grayProfile(gamma: 2), &notes)
    #expect(color.origin == .assumed && notes.count == 2)
    #expect(ICCReader.description(of: LCMSTruth.inkProfile()) == nil)
  }

  @Test func damagedProfiles() throws {
    let profile = LCMSTruth.inkProfile()
    for seed in 0..<UInt64(Damage.count(300)) {
      var notes: [String] = []
      var bytes = Damage.damaged(profile, seed: seed)
      // Half of the damage goes to header, tags and curves.
      if seed % 2 == 1, bytes.count == profile.count {
        bytes = Damage.damaged(Array(profile.prefix(400)), seed: seed) + profile.dropFirst(400)
      }
      let color = InkLookup.color(bytes, &notes)
      let linear = try LinearizationTests.linear([0, 50, 200, 255], bits: 8, channels: 4, color)
      #expect((0..<3).allSatisfy { linear[0][$0].isFinite })
    }
    for count in stride(from: 0, to: 600, by: 1) {
      var notes: [String] = []
      #expect(InkLookup.color(Array(profile.prefix(count)), &notes).origin == .assumed)
    }
  }
}
