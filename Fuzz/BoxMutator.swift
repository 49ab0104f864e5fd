/// Changes of the boxes of HEIF, AVIF, CR3 and JPEG XL. What changes its length changes that of the
/// boxes around it, and the offsets of pictures stay right: the box of the metadata is moved to the
/// end of the file first.
struct BoxMutator {
  private struct Box {
    let start: Int
    /// Behind size, type and what else comes before its content.
    let content: Int
    let end: Int
    let parent: Int?
    let isContainer: Bool
  }
  private var bytes: [UInt8]
  private var boxes: [Box] = []

  private enum Change: CaseIterable {
    case number, resize, remove, double, swap, insert, size, type, version

    /// Numbers are what most depends on.
    static let weighted = allCases + [.number, .number]
  }

  /// Bytes before the boxes in those that hold some.
  private static let containers: [[UInt8]: Int] = [
    "meta": 4, "iprp": 0, "ipco": 0, "iinf": 6, "iref": 4, "dinf": 0, "dref": 8, "grpl": 0,
    "moov": 0, "trak": 0, "mdia": 0, "minf": 0, "stbl": 0, "stsd": 8, "edts": 0, "udta": 0,
  ].reduce(into: [:]) { $0[Array($1.key.utf8)] = $1.value }

  /// `bytes` after one change; nil where they are not two boxes and more.
  static func changed(_ bytes: [UInt8], _ random: inout Draws) -> [UInt8]? {
    guard var mutator = BoxMutator(bytes) else { return nil }
    mutator.change(&random)
    return mutator.bytes
  }

  private init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    findBoxes()
    guard boxes.count > 1 else { return nil }
    moveMetadata()
  }

  private mutating func findBoxes() {
    boxes = []
    var open = [(range: 0..<bytes.count, parent: Int?.none, depth: 0)]
    while let (range, parent, depth) = open.popLast() {
      var offset = range.lowerBound
      while offset + 8 <= range.upperBound, boxes.count < 4096 {
        let size = Mutator.number(bytes, at: offset, 4, true)
        let length = size == 0 ? range.upperBound - offset : Int(size)
        guard length >= 8, offset + length <= range.upperBound else { break }
        let type = Array(bytes[offset + 4..<offset + 8])
        let skipped = depth < 16 ? Self.containers[type] : nil
        let isContainer = skipped.map { $0 + 8 <= length } ?? false
        let content = offset + 8 + (isContainer ? skipped ?? 0 : 0)
        let box = Box(
          start: offset, content: content, end: offset + length, parent: parent,
          isContainer: isContainer)
        if isContainer { open.append((content..<box.end, boxes.count, depth + 1)) }
        boxes.append(box)
        offset += length
      }
    }
  }

  private mutating func moveMetadata() {
    let types = ["meta", "moov"].map { Array($0.utf8) }
    guard
      let box = boxes.first(where: {
        $0.parent == nil && types.contains(Array(bytes[$0.start + 4..<$0.start + 8]))
      }), box.end < bytes.count, Mutator.number(bytes, at: box.start, 4, true) > 1
    else { return }
    bytes += bytes[box.start..<box.end]
    bytes.replaceSubrange(box.start + 4..<box.start + 8, with: "free".utf8)
    findBoxes()
  }

  private mutating func change(_ random: inout Draws) {
    guard let index = boxes.indices.randomElement(using: &random),
      let other = boxes.randomElement(using: &random),
      let change = Change.weighted.randomElement(using: &random)
    else { return }
    let box = boxes[index]
    switch change {
    case .number:
      guard box.start + 8 < box.end else { return }
      Mutator.changeNumber(&bytes, in: box.start + 8..<box.end, &random)
    case .resize:
      let offset = Int.random(in: box.content...box.end, using: &random)
      let removed = Int.random(in: 0...min(16, box.end - offset), using: &random)
      let byte = [0, 1, 255].randomElement(using: &random) ?? 0
      let added = [UInt8](repeating: UInt8(byte), count: .random(in: 0...16, using: &random))
      replace(offset..<offset + removed, with: added, within: index)
    case .remove: replace(box.start..<box.end, with: [], within: box.parent)
    case .double:
      let times = [1, 1, 1, 16, 256].randomElement(using: &random) ?? 1
      let copies = repeatElement(bytes[box.start..<box.end], count: times).joined()
      guard copies.count < 100_000 else { return }
      replace(box.end..<box.end, with: Array(copies), within: box.parent)
    case .swap:
      let next = boxes.indices.first {
        boxes[$0].start == box.end && boxes[$0].parent == box.parent
      }
      guard let next else { return }
      let both = Array(bytes[box.end..<boxes[next].end]) + bytes[box.start..<box.end]
      bytes.replaceSubrange(box.start..<boxes[next].end, with: both)
    case .insert:
      let containers = boxes.indices.filter { boxes[$0].isContainer }
      guard other.end - other.start < 10_000,
        let container = containers.randomElement(using: &random)
      else { return }
      let end = boxes[container].end
      replace(end..<end, with: Array(bytes[other.start..<other.end]), within: container)
    case .size:
      let old = Mutator.number(bytes, at: box.start, 4, true)
      let new = Mutator.near(old, size: bytes.count, &random)
      Mutator.setNumber(&bytes, at: box.start, 4, true, new)
    case .type:
      bytes.replaceSubrange(
        box.start + 4..<box.start + 8, with: bytes[other.start + 4..<other.start + 8])
    case .version:
      guard box.start + 12 <= box.end else { return }
      bytes[box.start + 8] = UInt8.random(in: 0...4, using: &random)
      if Bool.random(using: &random) {
        bytes[box.start + 11] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      }
    }
  }

  /// Replaces bytes in a box, and adapts its size and that of the boxes around it.
  private mutating func replace(_ range: Range<Int>, with new: [UInt8], within box: Int?) {
    bytes.replaceSubrange(range, with: new)
    var around = box
    while let index = around {
      let size = Mutator.number(bytes, at: boxes[index].start, 4, true)
      // To the end of the file.
      if size != 0 {
        let longer = UInt64(Int(size) + new.count - range.count)
        Mutator.setNumber(&bytes, at: boxes[index].start, 4, true, longer)
      }
      around = boxes[index].parent
    }
  }
}
