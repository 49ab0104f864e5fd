internal import CLibRaw

/// Memory of LibRaw, zeros at first. Of damaged raws LibRaw leaves samples unwritten, 0.20 without
/// a word: they would be what this process had there before, of other pictures.
///
/// On ELF systems LibRaw calls this in place of its own `LibRaw::malloc(size_t)`, whose name it
/// has, as programs are searched for names before libraries. Elsewhere nothing calls it. Were it
/// `internal`, optimized programs would keep the name to themselves.
@_cdecl("_ZN6LibRaw6mallocEm")
package func zeroedLibRawMemory(
  _ raw: UnsafeMutableRawPointer?, _ count: Int
) -> UnsafeMutableRawPointer? {
  unsafe clibraw_calloc(raw, count, 1)
}
