import Develop
import Formats
import ImageCore
import RawFilter
import Readers
import Recipes
import Testing

@Suite struct FailureKindTests {
  /// One code name means the same in every part, except `exists`: for a recipe it is a requested
  /// name, for an output an existing file that stays.
  @Test func namesMeanOneThing() {
    var kinds: [String: FailureKind] = [:]
    let codes: [any FailureCode] = [
      RAWError.Code.cannotRead, RAWError.Code.badSetting, RAWError.Code.damaged,
      RAWError.Code.unsupported, RAWError.Code.tooLarge, RAWError.Code.cancelled,
      RAWError.Code.outOfMemory, ReadError.Code.cannotRead, ReadError.Code.badSetting,
      ReadError.Code.damaged, ReadError.Code.unsupported, ReadError.Code.tooLarge,
      ReadError.Code.cancelled, ReadError.Code.outOfMemory, WriteError.Code.badSetting,
      WriteError.Code.cannotWrite, WriteError.Code.cancelled, WriteError.Code.outOfMemory,
      RecipeError.Code.cannotRead, RecipeError.Code.cannotWrite, RecipeError.Code.badSetting,
      PlanError.Code.badSetting,
    ]
    for code in codes {
      #expect(kinds.updateValue(code.kind, forKey: code.rawValue) ?? code.kind == code.kind)
    }
    #expect(WriteError.Code.exists.kind == .cannotWrite)
    #expect(RecipeError.Code.exists.kind == .request)
  }

  /// An inner failure determines the meaning and name of the outer one.
  @Test func partsDecide() {
    let raw = DevelopError.raw(RAWError(.damaged, .decode, "it is truncated"))
    #expect(raw.kind == .badInput && raw.codeName == "damaged")
    let write = DevelopError.write(WriteError(.diskFull, "the disk is full"))
    #expect(write.kind == .cannotWrite && write.codeName == "diskFull")
    let end = DevelopError.cancelled(path: "a.raw")
    #expect(end.kind == .cancelled && end.codeName == "cancelled")
  }
}
