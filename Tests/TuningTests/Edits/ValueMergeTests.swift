import Recipes
import Testing

@testable import Tuning

/// Two sides as one.
@Suite struct ValueMergeTests {
  private typealias Values = [String: RecipeValue]

  private static let some: [Values] = [
    [:], ["exposure": 1], ["exposure": 2], ["exposure": .null], ["vibrance": 0.5],
    ["exposure": 1, "vibrance": 0.5], ["neutralTemperature": 5000, "neutralTint": 3],
    ["neutralLocation": [1, 2]], ["neutralLocation": [3, 4], "exposure": 2],
    ["isAutomaticWhiteBalanceEnabled": .bool(true), "vibrance": 0.25],
  ]

  @Test func whatOneSideDidNotChangeIsAsTheOtherMadeIt() {
    for base in Self.some {
      for other in Self.some {
        for merge in [
          ValueMerge(base: base, mine: other, theirs: base),
          ValueMerge(base: base, mine: base, theirs: other),
          ValueMerge(base: base, mine: other, theirs: other),
        ] {
          #expect(merge.values == other && merge.conflicts.isEmpty)
        }
      }
    }
  }

  @Test func sidesMayBeExchanged() {
    for base in Self.some {
      for mine in Self.some {
        for theirs in Self.some {
          let one = ValueMerge(base: base, mine: mine, theirs: theirs)
          let other = ValueMerge(base: base, mine: theirs, theirs: mine, preferring: .theirs)
          #expect(one.values == other.values && one.conflicts == other.conflicts)
          // Merged again, nothing is left to do.
          let again = ValueMerge(base: theirs, mine: one.values, theirs: theirs)
          #expect(again.values == one.values && again.conflicts.isEmpty)
          // Never two ways of giving the white.
          let ways = Set(one.values.keys.filter(LayeredRecipe.whiteKeys.contains))
          #expect([mine, theirs].contains { ways.isSubset(of: $0.keys) })
        }
      }
    }
  }

  @Test func onlyTheSamePropertyIsAConflict() {
    let base: Values = ["exposure": 1, "contrast": 0.5]
    let apart = ValueMerge(
      base: base, mine: ["exposure": 2, "contrast": 0.5], theirs: ["exposure": 1, "vibrance": 1])
    #expect(apart.values == ["exposure": 2, "vibrance": 1] && apart.conflicts.isEmpty)
    let both = ValueMerge(
      base: base, mine: ["exposure": 2, "hue": 1], theirs: ["exposure": 3, "vibrance": 1])
    #expect(both.conflicts == ["exposure"])
    #expect(both.values == ["exposure": 2, "hue": 1, "vibrance": 1])
    let removed = ValueMerge(
      base: base, mine: ["contrast": 0.5], theirs: ["exposure": 3, "contrast": 0.5],
      preferring: .theirs)
    #expect(removed.conflicts == ["exposure"])
    #expect(removed.values == ["exposure": 3, "contrast": 0.5])
  }

  @Test func waysOfGivingTheWhiteAreOneProperty() {
    let merge = ValueMerge(
      base: [:], mine: ["neutralLocation": [1, 2], "exposure": 1],
      theirs: ["neutralTemperature": 5000, "neutralTint": 3, "vibrance": 1])
    #expect(merge.conflicts == ["neutralLocation", "neutralTemperature", "neutralTint"])
    #expect(merge.values == ["neutralLocation": [1, 2], "exposure": 1, "vibrance": 1])
  }
}
