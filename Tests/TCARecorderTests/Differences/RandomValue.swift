import Foundation
import ReplayAnalyses

/// A value that is created and changed randomly.
protocol RandomValue {
  static func random(_ mutator: inout Mutator) -> Self
  mutating func change(_ mutator: inout Mutator)
}

extension RandomValue {
  mutating func change(_ mutator: inout Mutator) { self = .random(&mutator) }
}

typealias RandomCodable = Codable & RandomValue
typealias RandomKey = Codable & Hashable & RandomValue

extension Int: RandomValue {
  static func random(_ mutator: inout Mutator) -> Int { mutator.number(5) - 1 }
}
extension Int8: RandomValue {
  static func random(_ mutator: inout Mutator) -> Int8 { Int8(mutator.number(5)) }
}
extension Bool: RandomValue {
  static func random(_ mutator: inout Mutator) -> Bool { mutator.coin() }
}
extension Double: RandomValue {
  static func random(_ mutator: inout Mutator) -> Double { mutator.double() }
}
extension String: RandomValue {
  static func random(_ mutator: inout Mutator) -> String { mutator.text() }
}
extension UUID: RandomValue {
  static func random(_ mutator: inout Mutator) -> UUID {
    let byte = UInt8(mutator.number(3))
    return UUID(uuid: (byte, 0, 0, 0, 0, 0, 0xAB, 0, 0, 0, 0, 0, 0, 0, 0, byte))
  }
}
extension Date: RandomValue {
  static func random(_ mutator: inout Mutator) -> Date {
    Date(timeIntervalSinceReferenceDate: mutator.pick([0, -86_401, 1.25, 812_345_678.123, 1e12]))
  }
}
extension Decimal: RandomValue {
  static func random(_ mutator: inout Mutator) -> Decimal {
    mutator.pick([0, 0.1, -1, .nan, Decimal(sign: .plus, exponent: -3, significand: 12_345)])
  }
}
extension Data: RandomValue {
  static func random(_ mutator: inout Mutator) -> Data { Data(mutator.text().utf8) }
}
extension URL: RandomValue {
  static func random(_ mutator: inout Mutator) -> URL {
    URL(fileURLWithPath: "/folder/file \(mutator.number(3))")
  }
}
extension TimeZone: RandomValue {
  static func random(_ mutator: inout Mutator) -> TimeZone {
    TimeZone(secondsFromGMT: mutator.number(3) * 3600) ?? .gmt
  }
}

extension Array: RandomValue where Element: RandomValue {
  static func random(_ mutator: inout Mutator) -> [Element] {
    let count = mutator.pick([0, 0, 1, 2, 5, mutator.number(40) == 0 ? 300 : 3])
    return (0..<count).map { _ in .random(&mutator) }
  }
  mutating func change(_ mutator: inout Mutator) {
    if count > 0, mutator.coin() {
      self[mutator.number(count)].change(&mutator)
    } else {
      mutator.change(&self) { .random(&$0) }
      if count > 500 { removeLast(count - 100) }
    }
  }
}
extension Optional: RandomValue where Wrapped: RandomValue {
  static func random(_ mutator: inout Mutator) -> Wrapped? {
    mutator.coin() ? nil : .random(&mutator)
  }
  mutating func change(_ mutator: inout Mutator) {
    guard var value = self, mutator.coin() else {
      self = .random(&mutator)
      return
    }
    value.change(&mutator)
    self = value
  }
}
extension Set: RandomValue where Element: RandomValue {
  static func random(_ mutator: inout Mutator) -> Set<Element> {
    Set(Array.random(&mutator))
  }
  mutating func change(_ mutator: inout Mutator) {
    switch mutator.number(8) {
    case 0: self = .random(&mutator)
    case 1: removeAll { _ in mutator.number(3) == 0 }
    case 2: if let element = randomElement(using: &mutator) { remove(element) }
    // Rebuilt, so that the elements have other positions.
    case 3: self = Set(map { $0 })
    case 4: for _ in 0..<20 { update(with: .random(&mutator)) }
    default: update(with: .random(&mutator))
    }
  }
  private mutating func removeAll(where isGone: (Element) -> Bool) {
    self = filter { !isGone($0) }
  }
}
extension Dictionary: RandomValue where Key: RandomValue, Value: RandomValue {
  static func random(_ mutator: inout Mutator) -> [Key: Value] {
    let count = mutator.pick([0, 1, 3, 20])
    return [Key: Value]((0..<count).map { _ in (.random(&mutator), .random(&mutator)) }) { $1 }
  }
  mutating func change(_ mutator: inout Mutator) {
    switch mutator.number(7) {
    case 0: self = .random(&mutator)
    case 1: if let key = keys.randomElement(using: &mutator) { self[key] = nil }
    case 2: self = [Key: Value](map { ($0.key, $0.value) }) { $1 }
    case 3, 4:
      guard let key = keys.randomElement(using: &mutator) else { return }
      self[key]?.change(&mutator)
    case 5:
      // An equal key can have other bytes.
      guard let key = keys.randomElement(using: &mutator), let value = self[key] else { return }
      self[key] = nil
      self[.random(&mutator)] = value
    default: self[.random(&mutator)] = .random(&mutator)
    }
  }
}
