/// The marker segments of a JPEG stream one after the other (ITU-T T.81, B.1.1), as strictly as
/// raws store them: any number of fill bytes before a marker, and nothing else between two
/// segments. ``JPEGSegments`` reads stills, in which more is forgiven.
@safe package struct JPEGMarkers: Sequence, IteratorProtocol {
  package struct Segment: Sendable {
    package let marker: UInt8
    /// After the length; its end may lie outside the stream, or before its start.
    package let start: Int
    package let end: Int
  }

  private let stream: UnsafeRawBufferPointer
  private var position: Int

  /// The segments from `position` on, 2 bytes after a start marker; `stream` must outlive this.
  package init(_ stream: UnsafeRawBufferPointer, from position: Int = 2) {
    unsafe self.stream = stream
    self.position = position
  }

  /// The next segment; nil where there is no marker with a length.
  package mutating func next() -> Segment? {
    func word(_ at: Int) -> Int { unsafe Int(stream[at]) << 8 | Int(stream[at + 1]) }
    while unsafe position + 4 <= stream.count, word(position) == 0xFFFF { position += 1 }
    guard unsafe position + 4 <= stream.count, unsafe stream[position] == 0xFF else { return nil }
    let segment = Segment(
      marker: unsafe stream[position + 1], start: position + 4,
      end: position + 2 + word(position + 2))
    position = segment.end
    return segment
  }

  /// Whether `marker` is a frame header (SOFn).
  package static func isFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
  }
}
