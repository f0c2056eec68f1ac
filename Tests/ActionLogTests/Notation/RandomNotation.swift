import ActionLog
import TestSupport

/// Random actions, values and states in the forms that a recorder writes, and in similar forms.
struct RandomNotation {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private mutating func pick<T>(_ values: [T]) -> T {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  mutating func isChance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  static let names = [
    "a", "tapped", "path", "destination", "binding", "rows", "presented", "dismiss", "element",
    "set",
    "success", "failure", "some", "id", "état", "nil", "push",
  ]
  static let texts = [
    "", "Milk", "a.b", "site.name", "…", "\"\\", "\n\t\0", "\u{202E}abc\u{2066}", "日本語テキスト", "👩‍👩‍👧👍🏽",
    "e\u{301}\u{301}",
    "\u{301}", "69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A", "2025-11-20T09:12:03.12Z",
    "masked5d79b2e0bf06c886bd", "#1", "nil", "\u{FEFF}\u{200B}", ")", "a\u{1B}[31mb",
  ]

  static let tagged: [JSON] = [
    ["$double": "nan"], ["$double": "-inf"], ["$decimal": "nan"], ["$date": -0.5], ["$some": .null],
    ["$opaque": "Node"], ["$opaque": "Node", "reason": "too > deep"], ["$ordinal": 3],
    ["$masked": "masked5d79b2e0bf06c886bd"],
    ["$error": ["type": "Offline", "description": "Offline()"]],
    ["$error": ["type": "Bad.Luck", "description": "x y"]],
    [
      "$error": [
        "type": "E", "description": "d", "symbol": "1E", "value": ["busy": ["retryAfter": 1]],
      ]
    ],
    ["$error": ["type": "E", "description": "d", "symbol": "1E", "value": ["code": 4]]],
    // Values that resemble tags.
    ["$double": "x"], ["$some": 1, "b": 2], ["$$date": 3], ["$error": 1],
  ]

  mutating func uuid() -> String {
    func hex(_ count: Int) -> String {
      String((0..<count).map { _ in pick(Array("0123456789ABCDEF")) })
    }
    return [hex(8), hex(4), hex(4), hex(4), hex(12)].joined(separator: "-")
  }

  /// Returns an action, or a value that resembles one.
  mutating func action(depth: Int = 4) -> JSON {
    let name = pick(Self.names)
    guard depth > 0 else { return [name: [:]] }
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return [name: [:]]
    case 1: return [name: ["_0": action(depth: depth - 1)]]
    case 2: return [name: ["_0": ["presented": ["_0": action(depth: depth - 1)]]]]
    case 3: return [name: ["_0": ["element": ["id": id(), "action": action(depth: depth - 1)]]]]
    case 4:
      return ["binding": ["_0": ["set": ["_0": .string(pick(Self.texts)), "_1": value(depth: 1)]]]]
    case 5: return [name: ["_0": ["dismiss": [:]]]]
    case 6:
      return [
        name: [
          "_0": [pick(["success", "failure"]): isChance(4) ? [:] : ["_0": value(depth: depth - 1)]]
        ]
      ]
    default:
      var payload = JSON.Object()
      for place in 0..<Int.random(in: 1...3, using: &random) {
        payload[isChance(2) ? "_\(place)" : pick(Self.names)] = value(depth: depth - 1)
      }
      return [name: .object(payload)]
    }
  }

  mutating func id() -> JSON {
    isChance(2) ? .number(JSON.Number(Int.random(in: 0...12, using: &random))) : .string(uuid())
  }

  mutating func value(depth: Int = 3) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 14 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(isChance(2))
    case 2: return pick([0, -1, 0.5, -0.0, 1e300, 18_446_744_073_709_551_615.0] as [JSON])
    case 3, 4: return .string(pick(Self.texts))
    case 5: return .string(uuid())
    case 6:
      return pick(Self.tagged)
    case 7: return action(depth: depth - 1)
    case 8, 9:
      return .array(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth - 1) }
      )
    case 10: return ["id": id(), "element": value(depth: depth - 1)]
    case 11: return ["$some": value(depth: depth - 1)]
    default:
      var object = JSON.Object()
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let name =
          isChance(4)
          ? pick(["a b", "$$x", "0", "*", "", "\u{202E}", "~/", "x.y"])
          : pick(Self.names + ["_0", "_1"])
        object[name] = value(depth: depth - 1)
      }
      return .object(object)
    }
  }

  /// Returns a state with members, rows, stacks and cases.
  mutating func state() -> JSON {
    var object = JSON.Object()
    for name in ["path", "rows", "sheet", "count"] { object[name] = value(depth: 4) }
    object["stack"] = .array(
      (0..<3).map { ["id": .number(JSON.Number($0 * 2)), "element": action(depth: 3)] }
    )
    return .object(object)
  }

  /// Returns the value with one replaced leaf.
  mutating func changed(_ json: JSON) -> JSON {
    switch json {
    case .object(let object) where !object.isEmpty:
      let key = pick(object.keys)
      var copy = object
      copy[key] = changed(object[key] ?? .null)
      return .object(copy)
    case .array(let elements) where !elements.isEmpty:
      var copy = elements
      let index = Int.random(in: 0..<elements.count, using: &random)
      copy[index] = changed(elements[index])
      return .array(copy)
    default: return json == "another" ? 77 : "another"
    }
  }
}

extension JSON {
  /// The pointers to all values in this value.
  var places: [JSON.Pointer] {
    var places = [JSON.Pointer()]
    switch self {
    case .object(let object):
      for (key, value) in object {
        places += value.places.map { JSON.Pointer([key] + $0.tokens) }
      }
    case .array(let elements):
      for (index, value) in elements.enumerated() {
        places += value.places.map { JSON.Pointer(["\(index)"] + $0.tokens) }
      }
    default: break
    }
    return places
  }
}
