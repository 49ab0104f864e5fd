/// Changes to the tables. Numbers of items and their order stay.
extension HEIFMeta {
  /// Types of items that only describe other items and are meaningless without them.
  private static let describing: Set<String> = ["cdsc", "thmb", "auxl", "prem", "exbl"]
  /// Groups whose members are alternatives of each other or belong together, one by one.
  private static let plainGroups: Set<String> = ["altr", "ster", "brst", "equi", "eqiv"]

  /// Removes items, and with them what is of no use without them: the pictures that only they are
  /// derived from, items that only describe them, properties that no item has any more. Throws
  /// where a picture that stays is derived from one of them, and where a group of an unknown type
  /// contains one.
  package mutating func remove(_ numbers: Set<Int>) throws(FormatError) {
    let removed = closure(numbers)
    guard !removed.contains(primary) else {
      throw Self.refused("the primary item depends on the gain map")
    }
    for reference in references where !removed.contains(reference.from) {
      let isTouched = reference.to.contains(where: removed.contains)
      guard !isTouched || Self.describing.contains(reference.type) else {
        throw Self.refused(
          "item \(reference.from) references the gain map (\(ISOBox.shown(reference.type)))")
      }
    }
    references = references.compactMap { reference in
      guard !removed.contains(reference.from) else { return nil }
      let to = reference.to.filter { !removed.contains($0) }
      return to.isEmpty && !reference.to.isEmpty
        ? nil : Reference(type: reference.type, from: reference.from, to: to)
    }
    for group in groups where group.members.contains(where: removed.contains) {
      guard Self.plainGroups.contains(group.type), group.tail.isEmpty else {
        throw Self.refused("an entity group of unknown type contains the gain map")
      }
    }
    groups = groups.compactMap { group in
      guard group.members.contains(where: removed.contains) else { return group }
      var rest = group
      rest.members.removeAll(where: removed.contains)
      // A group of one item has no meaning.
      return rest.members.count > 1 ? rest : nil
    }
    let before = usedProperties
    for number in removed { items[number] = nil }
    order.removeAll(where: removed.contains)
    lastNumber = order.max() ?? 0
    dropProperties(before.subtracting(usedProperties))
  }

  /// `numbers`, what they alone are made of, and what describes nothing else.
  private func closure(_ numbers: Set<Int>) -> Set<Int> {
    var inputsOf: [Int: [Int]] = [:]
    var outputsOf: [Int: Set<Int>] = [:]
    var subjects: [Int: Set<Int>] = [:]
    var describers: [Int: Set<Int>] = [:]
    for reference in references {
      if reference.type == "dimg" {
        inputsOf[reference.from, default: []] += reference.to
        for number in reference.to { outputsOf[number, default: []].insert(reference.from) }
      } else if Self.describing.contains(reference.type) {
        subjects[reference.from, default: []].formUnion(reference.to)
        for number in reference.to { describers[number, default: []].insert(reference.from) }
      }
    }
    var removed: Set<Int> = []
    var queue = numbers.sorted()
    while let number = queue.popLast() {
      guard removed.insert(number).inserted else { continue }
      for input in Set(inputsOf[number] ?? []) where input != primary {
        // Pictures that are displayed or describe others stay, even if others are derived from
        // them.
        let isPart = (items[number]?.type == "grid" || isHidden(input)) && subjects[input] == nil
        if isPart, (outputsOf[input] ?? []).isSubset(of: removed) { queue.append(input) }
      }
      for describer in describers[number] ?? [] where describer != primary {
        if (subjects[describer] ?? []).isSubset(of: removed) { queue.append(describer) }
      }
    }
    return removed
  }

  /// Sets whether the item is hidden.
  package mutating func setHidden(_ isHidden: Bool, _ number: Int) {
    guard let flags = items[number]?.info.dropFirst(11).first else { return }
    items[number]?.info[11] = flags & 0xFE | (isHidden ? 1 : 0)
  }

  private var usedProperties: Set<Int> {
    items.values.reduce(into: []) { $0.formUnion($1.associations.map(\.property)) }
  }

  /// Removes properties that no item has from the list.
  package mutating func dropProperties(_ dropped: Set<Int>) {
    guard !dropped.isEmpty else { return }
    var indices: [Int] = []
    var remaining: [[UInt8]] = []
    for (index, property) in properties.enumerated() {
      indices.append(remaining.count)
      if !dropped.contains(index) { remaining.append(property) }
    }
    properties = remaining
    for number in order {
      guard let count = items[number]?.associations.count else { continue }
      for index in 0..<count {
        guard let old = items[number]?.associations[index].property else { continue }
        items[number]?.associations[index].property = indices[old]
      }
    }
  }

  /// Removes the properties of `types` from the item; properties that no other item uses are
  /// removed from the list.
  package mutating func removeProperties(_ types: Set<String>, of number: Int) {
    let before = usedProperties
    let list = properties
    items[number]?.associations.removeAll {
      types.contains(ISOBox.name(list[$0.property][4..<8]))
    }
    dropProperties(before.subtracting(usedProperties))
  }

  /// Adds a property to the item, after those it has or before them; an equal one is shared.
  package mutating func add(_ property: HEIFProperty, to number: Int, first: Bool = false) {
    let box = property.box
    let index: Int
    if let known = properties.firstIndex(of: box) {
      index = known
    } else {
      index = properties.count
      properties.append(box)
    }
    let association = Association(property: index, isEssential: property.isEssential)
    guard items[number]?.associations.contains(where: { $0.property == index }) == false else {
      return
    }
    if first {
      items[number]?.associations.insert(association, at: 0)
    } else {
      items[number]?.associations.append(association)
    }
  }

  /// Adds an item and returns its number.
  package mutating func addItem(
    _ type: String, _ storage: Storage, isHidden: Bool, contentType: String? = nil
  ) -> Int {
    let number = freeNumber()
    items[number] = Item(
      info: Self.info(number, type, isHidden: isHidden, contentType: contentType), type: type,
      contentType: contentType ?? "", storage: storage)
    order.append(number)
    lastNumber = number
    return number
  }

  /// Puts items into a group, in this order: one of its kind that has `anchor` gets the others in
  /// front.
  package mutating func group(_ type: String, _ members: [Int], anchor: Int) {
    if let index = groups.firstIndex(where: { $0.type == type && $0.members.contains(anchor) }) {
      groups[index].members.insert(contentsOf: members.filter { $0 != anchor }, at: 0)
      return
    }
    var head = BoxWriter()
    head.u32(0)
    head.u32(UInt32(truncatingIfNeeded: freeNumber()))
    groups.append(Group(type: type, head: head.bytes, members: members, tail: []))
  }

  /// A number that neither an item nor a group has.
  private func freeNumber() -> Int {
    let used = Set(groups.map { $0.head.suffix(4).reduce(0) { $0 << 8 | Int($1) } })
    var number = lastNumber + 1
    while used.contains(number) { number += 1 }
    return number
  }

  /// An `infe` box.
  package static func info(
    _ number: Int, _ type: String, isHidden: Bool, contentType: String? = nil
  ) -> [UInt8] {
    var bytes = BoxWriter()
    let isWide = number > 0xFFFF
    bytes.fullBox("infe", version: isWide ? 3 : 2, flags: isHidden ? 1 : 0) {
      $0.number(number, isWide: isWide)
      $0.u16(0)
      $0.append(type.utf8)
      $0.string("")
      if let contentType { $0.string(contentType) }
    }
    return bytes.bytes
  }
}
