import ImageCore
import Readers
import Testing

@testable import Containers
@testable import Remux

@Suite struct EditCheckTests {
  /// Each of many items was looked for among the references of all others.
  @Test func manyItemsAreCompared() throws {
    var document = try HEIFDocument(FileBytes(HEIFDocumentTests.written()))
    let base = document.meta.primary
    for _ in 0..<20_000 {
      let number = document.meta.addItem("iden", .new([], isInline: true), isHidden: true)
      document.meta.add(.size(WrittenScene.size), to: number)
      document.meta.references.append(.init(type: "dimg", from: number, to: [base]))
    }
    let before = try HEIFDocument(FileBytes(document.bytes()))
    var edited = before
    let isChanged = try edited.removeGainMaps()
    #expect(isChanged && edited.auxiliaryMaps.isEmpty && edited.toneMaps.isEmpty)
    try EditCheck.items(before, edited.bytes())

    let last = try #require(edited.meta.order.last)
    var wrong = edited
    wrong.meta.items[last]?.associations = []
    #expect(throws: ReadError.self) { try EditCheck.items(before, wrong.bytes()) }
    wrong = edited
    let reference = try #require(edited.meta.references.lastIndex { $0.from == last })
    wrong.meta.references[reference].to = [last - 1]
    #expect(throws: ReadError.self) { try EditCheck.items(before, wrong.bytes()) }
  }
}
