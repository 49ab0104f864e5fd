/// Raws of real cameras under the names of others.
package enum RenamedRaw {
  /// A CR2 of the EOS 30D as of `model`, of up to 13 characters, with a model number that is no
  /// camera's.
  package static func canon30D(_ raw: [UInt8], as model: String) -> [UInt8] {
    var raw = raw
    let old = Array("Canon EOS 30D\0".utf8)
    let new = Array(model.utf8) + [UInt8](repeating: 0, count: old.count - model.utf8.count)
    for start in raw.indices.dropLast(old.count)
    where raw[start] == old[0] && raw[start..<start + old.count].elementsEqual(old) {
      raw.replaceSubrange(start..<start + old.count, with: new)
    }
    // Tag 0x10 of the maker note, one LONG: 0x80000234.
    let number: [UInt8] = [0x10, 0, 4, 0, 1, 0, 0, 0, 0x34, 0x02, 0, 0x80]
    if let found = raw.firstRange(of: number) { raw[found.lowerBound + 9] = 0x09 }
    return raw
  }
}
