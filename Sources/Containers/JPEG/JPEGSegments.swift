import Foundation
import ImageCore

/// The segments of one JPEG image before its pixels (ITU-T T.81, annex B), within a file that may
/// hold several images.
///
/// Fill bytes before markers are skipped, and so is garbage between segments, up to the next byte
/// that can be a marker, as in libjpeg. Reading stops at a damaged segment, and at the limit of
/// segments.
package struct JPEGSegments: Sendable {
  package struct Segment: Sendable {
    package let marker: UInt8
    /// After the length.
    package let payload: Range<Int>
  }

  package let file: FileBytes
  /// Where the image starts in the file.
  package let start: Int
  /// The segments, in order, the header of the first scan among them.
  private var segments: [Segment] = []
  /// The first frame header; nil if missing or damaged.
  package private(set) var frame: JPEGFrame?
  /// Header of the first scan; nil when the image ends before its pixels.
  package private(set) var scan: Range<Int>?
  /// After the last segment that was read; the end of the file where no other was found.
  package private(set) var headerEnd: Int
  /// That it has more segments than the limit; nil where it has not.
  package private(set) var excess: FormatError?

  /// The image that starts at `start`; nil when none does.
  package init?(_ file: FileBytes, at start: Int = 0) {
    guard start >= 0, file.integer(UInt16.self, at: start, bigEndian: true) == 0xFFD8 else {
      return nil
    }
    self.file = file
    self.start = start
    headerEnd = start + 2
    for _ in 0..<file.limits.maxItems {
      guard let marker = Self.nextMarker(file, from: headerEnd) else {
        headerEnd = file.count
        return
      }
      headerEnd = marker.end
      if Self.hasNoLength(marker.code) { continue }
      if marker.code == 0xD8 || marker.code == 0xD9 { return }
      guard let payload = Self.payload(file, at: headerEnd) else { return }
      headerEnd = payload.upperBound
      segments.append(Segment(marker: marker.code, payload: payload))
      switch marker.code {
      case let code where JPEGMarkers.isFrame(code):
        if frame == nil { frame = JPEGFrame(file, marker: marker.code, payload) }
      case 0xDA:
        scan = payload
        return
      default: break
      }
    }
    excess = file.limits.tooMany("segments")
  }

  /// Whether it is a JPEG-LS (ITU-T T.87), of which only its segments are like these.
  package var isJPEGLS: Bool { segments.contains { $0.marker == 0xF7 } }

  /// The application segments, in order.
  package var applications: [Segment] {
    segments.filter { (0xE0...0xEF).contains($0.marker) }
  }

  /// Pixels of an inch, or of a centimeter, by JFIF; nil where it says none.
  package var density: (dots: SIMD2<Double>, isMetric: Bool)? {
    guard
      let jfif = segments.first(where: {
        $0.marker == JPEGIdentifier.jfif.marker && $0.payload.count >= 12
          && file.matches(JPEGIdentifier.jfif.name, at: $0.payload.lowerBound)
      })
    else { return nil }
    let start = jfif.payload.lowerBound + 7
    guard let unit = file.bytes(start, 1)?.first, unit == 1 || unit == 2,
      let x = file.integer(UInt16.self, at: start + 1, bigEndian: true),
      let y = file.integer(UInt16.self, at: start + 3, bigEndian: true)
    else { return nil }
    return (SIMD2(Double(x), Double(y)), unit == 2)
  }

  /// Upper limit of the image's end: the end of the file, or the start of a phone's trailing
  /// blocks.
  package var latestEnd: Int {
    let blocks = SamsungTrailer.start(in: file) ?? file.count
    return blocks > (scan?.upperBound ?? headerEnd) ? blocks : file.count
  }

  /// After the end marker, or where the next image starts before that; nil when the file, or the
  /// part before a phone's trailing blocks, ends first.
  package func end() -> Int? { end { _ in } }

  /// The same; `body` is called with the header of each scan.
  private func end(forEachScan body: (Range<Int>) -> Void) -> Int? {
    guard let scan else { return nil }
    body(scan)
    var position = scan.upperBound
    let latest = latestEnd
    while let marker = Self.nextMarker(file, from: position, before: latest) {
      position = marker.end
      switch marker.code {
      case 0xD9: return position
      case 0xD8: return position - 2
      case let code where Self.hasNoLength(code): break
      case let code:
        // Tables and the scans of a progressive picture; in damaged data no length can be trusted.
        guard let payload = Self.payload(file, at: position), payload.upperBound <= latest else {
          continue
        }
        if code == 0xDA { body(payload) }
        position = payload.upperBound
      }
    }
    return nil
  }

  /// Scans up to the end of the image, of the file, or `end`, counted up to `limit`.
  package func scans(atMost limit: Int, before end: Int = .max) -> Int {
    guard let scan else { return 0 }
    var (position, count) = (scan.upperBound, 1)
    while count < limit, let marker = Self.nextMarker(file, from: position, before: end),
      marker.code != 0xD9
    {
      if marker.code == 0xDA { count += 1 }
      position = marker.end
    }
    return count
  }

  /// Whether the scans bring all bits of all coefficients of `frame`. A picture that is cut between
  /// two scans decodes without a complaint.
  package func hasAllScans(of frame: JPEGFrame) -> Bool {
    guard isInScans(frame) else { return true }
    // By component the lowest bit so far of each coefficient.
    var lowest: [UInt8: [UInt8]] = [:]
    _ = end { header in
      guard let bytes = file.bytes(header.lowerBound, header.count), bytes.count >= 4 else {
        return
      }
      let count = Int(bytes[0])
      guard bytes.count >= 4 + 2 * count else { return }
      var (band, low) = (0...63, UInt8(0))
      if frame.isProgressive {
        let (first, last) = (Int(bytes[1 + 2 * count]), Int(bytes[2 + 2 * count]))
        guard first <= last, last < 64 else { return }
        (band, low) = (first...last, bytes[3 + 2 * count] & 15)
      }
      for index in 0..<count {
        let fresh = [UInt8](repeating: .max, count: 64)
        for coefficient in band { lowest[bytes[1 + 2 * index], default: fresh][coefficient] = low }
      }
    }
    return lowest.count == frame.components
      && lowest.values.allSatisfy { $0.allSatisfy { $0 == 0 } }
  }

  /// The start of the first image at or after `position`: a start marker followed by another
  /// marker.
  package static func nextImage(_ file: FileBytes, from position: Int) -> Int? {
    var position = position
    while let marker = nextMarker(file, from: position) {
      if marker.code == 0xD8, file.integer(UInt8.self, at: marker.end, bigEndian: true) == 0xFF {
        return marker.end - 2
      }
      position = marker.end
    }
    return nil
  }

  /// All bytes from the image's first to the file's last.
  package var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: file.buffer[start...])
  }

  /// What follows the name in the segments of this kind.
  package func payloads(_ kind: JPEGIdentifier) -> [Range<Int>] {
    let (name, marker) = (kind.name, kind.marker)
    let length = name.utf8.count
    return applications.lazy.filter { segment in
      segment.marker == marker && segment.payload.count >= length
        && file.matches(name, at: segment.payload.lowerBound)
    }.map { $0.payload.lowerBound + length..<$0.payload.upperBound }
  }

  /// The range of the complete segment with a payload's range, which follows the name of `kind` if
  /// one is given: marker, length, payload.
  package static func segmentRange(_ payload: Range<Int>, _ kind: JPEGIdentifier? = nil) -> Range<
    Int
  > {
    payload.lowerBound - (kind?.name.utf8.count ?? 0) - 4..<payload.upperBound
  }

  /// All segments, concatenated.
  package var segmentBytes: [UInt8] {
    segments.flatMap { segment -> [UInt8] in
      let range = Self.segmentRange(segment.payload)
      return file.bytes(range.lowerBound, range.count) ?? []
    }
  }

  /// A copy of the image alone that decodes to the same samples, without harmless irregularities:
  /// segments directly after one another, a version of JFIF and a transform in Adobe's segment that
  /// decoders know, the full range of coefficients in sequential scans, and an end marker. The
  /// latter is not added for arithmetic coding, where decoders read missing data as zeros.
  package func tidied() -> [UInt8] {
    var scans: [Range<Int>] = []
    let end = end { scans.append($0) } ?? latestEnd
    let rest = (scan?.upperBound ?? headerEnd)..<end
    var copy: [UInt8] = [0xFF, 0xD8]
    copy.reserveCapacity(rest.upperBound - start + 2)
    let allCoefficients: [UInt8] = [0, 63, 0]
    let isSequential = frame.map { !$0.isProgressive } ?? false
    for segment in segments {
      let (payload, first) = (segment.payload, copy.count + 4)
      let range = Self.segmentRange(payload)
      copy += file.bytes(range.lowerBound, range.count) ?? []
      switch segment.marker {
      case 0xE0 where payload.count > 5 && file.matches("JFIF\0", at: payload.lowerBound):
        copy[first + 5] = 1
      // Decoders take all but 0 (RGB) of three components as YCbCr.
      case 0xEE where payload.count > 11 && file.matches("Adobe", at: payload.lowerBound):
        copy[first + 11] = min(copy[first + 11], 1)
      case 0xDA where payload.count > 3 && isSequential:
        copy.replaceSubrange(copy.count - 3..<copy.count, with: allCoefficients)
      default: break
      }
    }
    let moved = copy.count - rest.lowerBound
    copy += file.bytes(rest.lowerBound, rest.count) ?? []
    if let frame, isSequential, isInScans(frame) {
      for header in scans.dropFirst() where header.count > 3 {
        let end = header.upperBound + moved
        copy.replaceSubrange(end - 3..<end, with: allCoefficients)
      }
    }
    let isComplete = copy.suffix(2) == [0xFF, 0xD9] || frame?.isArithmetic == true
    return isComplete ? copy : copy + [0xFF, 0xD9]
  }

  private static func hasNoLength(_ code: UInt8) -> Bool {
    code == 1 || (0xD0...0xD7).contains(code)
  }

  /// The next marker at or after `position` that ends before `end`: FF, possibly repeated, and a
  /// byte that is neither FF nor 0.
  private static func nextMarker(
    _ file: FileBytes, from position: Int, before end: Int = .max
  ) -> (code: UInt8, end: Int)? {
    guard let base = unsafe file.buffer.baseAddress else { return nil }
    let end = min(end, file.count)
    var position = position
    while position + 1 < end {
      guard let found = unsafe memchr(base + position, 0xFF, end - 1 - position) else {
        return nil
      }
      position = unsafe UnsafeRawPointer(found) - base + 1
      switch unsafe file.buffer[position] {
      case 0: position += 1
      case 0xFF: break
      case let code: return (code, position + 1)
      }
    }
    return nil
  }

  /// What follows the length at `position`; nil when it does not fit.
  private static func payload(_ file: FileBytes, at position: Int) -> Range<Int>? {
    guard let length = file.integer(UInt16.self, at: position, bigEndian: true), length >= 2,
      file.holds(position, Int(length))
    else { return nil }
    return position + 2..<position + Int(length)
  }
}
