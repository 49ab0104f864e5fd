// The settings of each frame from those of key frames.
// Every numeric property runs through the values of the key frames by a monotone cubic
// (``MonotoneSpline``): smooth, without overshooting, held before the first and after the last.
// Whites are chromaticities here, which run as x and y do. What is no number, and what is a code or
// an index, changes at its key frame. Known limit: a property that only some key frames set has the
// file's own default at the others and changes there, too.

import Foundation
import HDRRender
import RawFilter

/// Settings of raws that change along a clip.
struct SettingsRamp: Sendable {
  /// The number of each key frame, rising, and its settings.
  let keys: [(frame: Int, settings: RAWSettings)]
  private let splines: [(path: [Step], spline: MonotoneSpline)]
  private let trees: [Value]
  /// Stops that are added to the exposure of each frame; empty for none.
  var stops: [Float] = []

  /// Properties whose numbers are codes or indices.
  private static let codes = Set(
    Adjustment.all.compactMap { adjustment in
      if case .code = adjustment.accessor { adjustment.name } else { String?.none }
    })

  private enum Step: Hashable {
    case key(String)
    case item(Int)
  }

  /// A document of settings.
  private indirect enum Value: Codable, Sendable {
    case none
    case toggle(Bool)
    case number(Double)
    case text(String)
    case list([Value])
    case map([String: Value])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .none
      } else if let toggle = try? value.decode(Bool.self) {
        self = .toggle(toggle)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else if let text = try? value.decode(String.self) {
        self = .text(text)
      } else if let list = try? value.decode([Value].self) {
        self = .list(list)
      } else {
        self = .map(try value.decode([String: Value].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      switch self {
      case .none: try value.encodeNil()
      case .toggle(let toggle): try value.encode(toggle)
      case .number(let number): try value.encode(number)
      case .text(let text): try value.encode(text)
      case .list(let list): try value.encode(list)
      case .map(let map): try value.encode(map)
      }
    }

    /// The paths of all numbers.
    func numbers(_ path: [Step] = []) -> [(path: [Step], value: Double)] {
      switch self {
      case .number(let number): [(path, number)]
      case .list(let list):
        list.enumerated().flatMap { $1.numbers(path + [.item($0)]) }
      case .map(let map):
        map.sorted { $0.key < $1.key }.flatMap {
          codes.contains($0.key) ? [] : $0.value.numbers(path + [.key($0.key)])
        }
      default: []
      }
    }

    mutating func set(_ number: Double, at path: ArraySlice<Step>) {
      guard let step = path.first else {
        self = .number(number)
        return
      }
      switch (step, self) {
      case (.key(let key), .map(var map)):
        map[key]?.set(number, at: path.dropFirst())
        self = .map(map)
      case (.item(let item), .list(var list)) where list.indices.contains(item):
        list[item].set(number, at: path.dropFirst())
        self = .list(list)
      default: break
      }
    }
  }

  /// One frame of settings for all.
  init(_ settings: RAWSettings) throws(FilmError) { try self.init([(0, settings)]) }

  /// Key frames, at least one, with rising numbers.
  init(_ keys: [(frame: Int, settings: RAWSettings)]) throws(FilmError) {
    self.keys = keys
    do {
      trees = try keys.map {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode($0.settings))
      }
    } catch { throw FilmError(.badSetting, "the settings of a key frame cannot be used: \(error)") }
    let numbers = trees.map { tree in
      Dictionary(
        tree.numbers().map { ($0.path, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
    splines = (numbers.first ?? [:]).compactMap { path, _ in
      let values = numbers.compactMap { $0[path] }
      guard keys.count > 1, values.count == keys.count, Set(values).count > 1 else { return nil }
      return (path, MonotoneSpline(zip(keys, values).map { SIMD2(Double($0.frame), $1) }))
    }
  }

  /// Whether all frames have the same settings.
  var isConstant: Bool { keys.count == 1 && stops.isEmpty }

  /// The settings of frame `index`.
  func settings(at index: Int) throws(FilmError) -> RAWSettings {
    var settings = keys[0].settings
    if keys.count > 1 {
      let frame = min(max(index, keys[0].frame), keys[keys.count - 1].frame)
      let last = keys.lastIndex { $0.frame <= frame } ?? 0
      var tree = trees[last]
      for (path, spline) in splines { tree.set(Double(spline(Float(frame))), at: path[...]) }
      do {
        settings = try JSONDecoder().decode(RAWSettings.self, from: JSONEncoder().encode(tree))
      } catch {
        throw FilmError(.badSetting, "the settings between two key frames cannot be used: \(error)")
      }
    }
    if stops.indices.contains(index) { settings.exposure += stops[index] }
    return settings
  }

  /// All of it as text, for the comparison with that of another run.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let keys = keys.map { key in
      "\(key.frame) "
        + ((try? encoder.encode(key.settings)).map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
    return (keys + stops.map { "\($0)" }).joined(separator: "\n")
  }
}
