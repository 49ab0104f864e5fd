import Containers
import ImageCore
import Testing

@testable import DNGWriting

@Suite struct DNGDirectoryTests {
  private func field(_ tag: UInt16, _ value: UInt16) -> TIFFField {
    TIFFField(tag, .shorts([value]))
  }

  @Test func addKeepsTheFirstOfATagAndSetReplacesIt() {
    var directory = DNGDirectory(fields: [field(7, 1)])
    directory.add(field(7, 2))
    directory.add(field(9, 3))
    directory.add(TIFFField(11, .shorts([])))
    #expect(directory.fields == [field(7, 1), field(9, 3)])
    directory.set(field(7, 4))
    directory.set(field(8, 5))
    #expect(directory.fields == [field(9, 3), field(7, 4), field(8, 5)])
  }

  @Test func assignedFieldsAreFound() {
    var directory = DNGDirectory()
    directory.fields += [field(7, 1), field(9, 2)]
    directory.add(field(7, 3))
    directory.fields.removeAll { $0.tag == 9 }
    directory.add(field(9, 4))
    #expect(directory.fields == [field(7, 1), field(9, 4)])
  }

  /// As many entries as there are tags, twice: takes minutes if each is compared with all others.
  @Test func entriesOfAllTags() {
    var directory = DNGDirectory()
    for value: UInt16 in 0..<2 {
      for tag in UInt16.min...UInt16.max { directory.add(field(tag, value)) }
    }
    #expect(directory.fields.count == 65_536)
  }
}
