import Develop
import Recipes
import Synchronization
import SystemPackage

/// Edits that are in no sidecar, as a tar archive of the sidecars that they would be: unpacked over
/// a copy of the folder, it is as if they had been saved.
struct RecipeArchive {
  private(set) var bytes: [UInt8] = []

  private static let block = 512

  /// Adds a file of this path below the folder.
  mutating func add(_ path: [UInt8], _ content: [UInt8]) {
    // A longer name is in an entry of its own, as GNU and BSD tar write and read it.
    if path.count > 100 { append(Array("././@LongLink".utf8), path + [0], type: "L") }
    append(path, content, type: "0")
  }

  /// The archive, with its end.
  var finished: [UInt8] { bytes + [UInt8](repeating: 0, count: 2 * Self.block) }

  private mutating func append(_ name: [UInt8], _ content: [UInt8], type: Unicode.Scalar) {
    var header = [UInt8](repeating: 0, count: Self.block)
    func put(_ text: [UInt8], at offset: Int) {
      header.replaceSubrange(offset..<(offset + text.count), with: text)
    }
    func put(_ number: Int, _ digits: Int, at offset: Int) {
      let text = String(number, radix: 8)
      put(Array((String(repeating: "0", count: digits - text.count) + text).utf8), at: offset)
    }
    put(Array(name.prefix(100)), at: 0)
    put(0o644, 7, at: 100)
    put(0, 7, at: 108)
    put(0, 7, at: 116)
    put(content.count, 11, at: 124)
    put(0, 11, at: 136)
    header[156] = UInt8(ascii: type)
    put(Array("ustar\0".utf8) + Array("00".utf8), at: 257)
    // The checksum is computed with blanks in its field.
    put([UInt8](repeating: UInt8(ascii: " "), count: 8), at: 148)
    put(header.reduce(0) { $0 + Int($1) }, 6, at: 148)
    header[154] = 0
    bytes += header + content
    bytes += [UInt8](repeating: 0, count: (Self.block - content.count % Self.block) % Self.block)
  }
}

extension EditKeeper {
  /// The edits that are not in their sidecars, as a tar archive of the sidecars that they would be.
  package func archive() -> [UInt8] {
    let pending = state.withLock { state in
      state.book.histories.filter(\.value.isPending).sorted { $0.value.name < $1.value.name }
    }
    var archive = RecipeArchive()
    for (id, history) in pending {
      let sidecar = (try? folder.path(id)).map { OwnSidecar(of: $0, below: folder.root) }
      let usable = sidecar.flatMap { $0.problem == nil ? $0 : nil }
      let own = usable?.own ?? [:]
      let merged = ValueMerge(base: history.saved, mine: history.own, theirs: own).values
      let path = usable.flatMap { FilePath(bytes: $0.path).relative(to: folder.root)?.bytes }
      guard
        let text = try? RecipeDocument.edited(
          usable?.bytes, of: usable?.path ?? [],
          with: RecipeDocument.changes(from: own, to: usable == nil ? history.own : merged))
      else { continue }
      archive.add(path ?? Array("\(history.name).rawdev.yaml".utf8), Array(text.utf8))
    }
    return archive.finished
  }
}
