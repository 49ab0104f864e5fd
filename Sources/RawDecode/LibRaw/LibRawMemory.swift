internal import CLibRaw

/// Zero-initialized memory for LibRaw. For damaged raws LibRaw leaves samples unwritten, in 0.20
/// without an error: they would contain previous memory of this process, such as other pictures.
///
/// On ELF systems LibRaw calls this instead of its own `LibRaw::malloc(size_t)`, since it has the
/// same symbol and programs are searched before libraries. Elsewhere it is not called. It is not
/// `internal`, since optimized programs would then not export it.
@_cdecl("_ZN6LibRaw6mallocEm")
package func zeroedLibRawMemory(
  _ raw: UnsafeMutableRawPointer?, _ count: Int
) -> UnsafeMutableRawPointer? {
  unsafe clibraw_calloc(raw, count, 1)
}
