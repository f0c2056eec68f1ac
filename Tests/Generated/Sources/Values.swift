import Foundation
import TCACore

/// Values of every kind that a log can hold.
///
/// Values of numbers that follow one another differ.
enum Make {
  static func bool(_ number: Int) -> Bool { number % 2 == 0 }
  static func int(_ number: Int) -> Int {
    [0, -1, .max, .min, 7, number][number.magnitudeModulo(6)]
  }
  static func int8(_ number: Int) -> Int8 { Int8(truncatingIfNeeded: number &* 37) }
  static func uint16(_ number: Int) -> UInt16 { UInt16(truncatingIfNeeded: number &* 9_973) }
  static func int32(_ number: Int) -> Int32 {
    number % 2 == 0 ? .min : Int32(truncatingIfNeeded: number)
  }
  static func uint64(_ number: Int) -> UInt64 {
    number % 2 == 0 ? .max : UInt64(truncatingIfNeeded: number)
  }
  static func int128(_ number: Int) -> Int128 { number % 2 == 0 ? .min : Int128(number) }
  static func float(_ number: Int) -> Float {
    [0, -0.0, 0.1, .infinity, 1e-40, 3.4e38][number.magnitudeModulo(6)]
  }
  static func double(_ number: Int) -> Double {
    [0, -0.0, 0.1, .nan, -.infinity, 1e300, 5e-324, 9_007_199_254_740_993][
      number.magnitudeModulo(8)
    ]
  }
  static func decimal(_ number: Int) -> Decimal {
    [
      Decimal(0), Decimal(1) / 10, Decimal(123_456_789_012) * 1_000_000_000_000_001, .nan,
    ][
      number.magnitudeModulo(4)
    ]
  }
  static let texts = [
    "", "plain", "two\nlines\r\n\ttab", "\u{0}\u{1}\u{1B}[0m\u{7F}\u{9B}", "caf\u{E9}",
    "cafe\u{301}", "\u{202E}\u{2028}",
    "\u{10FFFD}c", "$opaque", "$some", "/~0~1/", "\"quoted\\\"", "👩‍👩‍👧‍👦🇩🇪", "null", "-0.0",
    "2025-11-20T09:12:03.12Z",
    "{\"$opaque\":\"Name\"}", "\u{FEFF}", "*", "**",
  ]
  static func text(_ number: Int) -> String { texts[number.magnitudeModulo(texts.count)] }
  static func substring(_ number: Int) -> Substring { "<\(text(number))>".dropFirst().dropLast() }
  static func character(_ number: Int) -> Character {
    ["a", "é", "e\u{301}", "\n", "👩‍👩‍👧‍👦", "\""][number.magnitudeModulo(6)]
  }
  static func data(_ number: Int) -> Data {
    Data(repeating: UInt8(truncatingIfNeeded: number), count: number.magnitudeModulo(5)) + [
      UInt8(truncatingIfNeeded: number)
    ]
  }
  static func date(_ number: Int) -> Date {
    [
      Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSince1970: 0.1), .distantPast,
      .distantFuture,
      Date(timeIntervalSinceReferenceDate: 785_000_000.123_456_7),
      Date(timeIntervalSinceReferenceDate: -0.5),
      Date(timeIntervalSinceReferenceDate: 1e15),
    ][number.magnitudeModulo(7)]
  }
  static func duration(_ number: Int) -> Duration {
    [
      .zero, .seconds(1), .nanoseconds(-1), .milliseconds(1_500),
      Duration(secondsComponent: 9, attosecondsComponent: 1),
    ][
      number.magnitudeModulo(5)
    ]
  }
  static func uuid(_ number: Int) -> UUID {
    UUID(
      uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(truncatingIfNeeded: number))
    )
  }
  static func url(_ number: Int) -> URL {
    [
      URL(string: "https://example.org/?q=a%20b#c"),
      URL(string: "a", relativeTo: URL(string: "https://example.org/")),
      URL(filePath: "/tmp/a b"), URL(string: "mailto:eva@example.org"),
    ][number.magnitudeModulo(4)] ?? URL(filePath: "/")
  }
  static func indexSet(_ number: Int) -> IndexSet {
    IndexSet([number.magnitudeModulo(7), 3, 4, 40])
  }
  static func optional(_ number: Int) -> Int? { number % 3 == 0 ? nil : number }
  static func nested(_ number: Int) -> String?? {
    [.none, .some(.none), .some(.some("a"))][number.magnitudeModulo(3)]
  }
  static func array(_ number: Int) -> [Int] {
    (0..<number.magnitudeModulo(6)).map { $0 == 3 ? number : $0 }
  }
  static func texts(_ number: Int) -> [String] {
    (0...number.magnitudeModulo(4)).map { text(number &+ $0) }
  }
  static func optionals(_ number: Int) -> [Int?] {
    [nil, number, nil].prefix(1 + number.magnitudeModulo(3)).map { $0 }
  }
  static func set(_ number: Int) -> Set<String> {
    Set((0...number.magnitudeModulo(5)).map { text(number &+ $0) })
  }
  static func points(_ number: Int) -> Set<Point> { [Point(x: number, y: 0), Point(x: 0, y: 1)] }
  static func dictionary(_ number: Int) -> [String: Int] {
    Dictionary((0...number.magnitudeModulo(5)).map { (text(number &+ $0), $0) }) { first, _ in first
    }
  }
  static func numbered(_ number: Int) -> [Int: String?] {
    [number.magnitudeModulo(100): "a", -1: nil, .max: "b"]
  }
  static func chosen(_ number: Int) -> [Choice: [Int]] {
    [choice(number): [number]].merging([.second: []]) { first, _ in first }
  }
  static func keyed(_ number: Int) -> [Point: String] {
    [Point(x: number, y: 0): "a", Point(x: 0, y: 1): "b"]
  }
  static func range(_ number: Int) -> Range<Int> { -1..<(number.magnitudeModulo(9)) }
  static func closedRange(_ number: Int) -> ClosedRange<Double>? {
    number % 3 == 0 ? nil : -0.0...Double(number.magnitudeModulo(50))
  }
  static func slice(_ number: Int) -> ArraySlice<Int> { ([9] + array(number) + [number])[1...] }
  static func result(_ number: Int) -> Result<Int, GeneratedFailure> {
    number % 2 == 0 ? .success(number) : .failure(GeneratedFailure(code: number))
  }
  static func choice(_ number: Int) -> Choice {
    Choice.allCases[number.magnitudeModulo(Choice.allCases.count)]
  }
  static func level(_ number: Int) -> Level { number % 2 == 0 ? .low : .high }
  static func shape(_ number: Int) -> Shape {
    switch number.magnitudeModulo(7) {
    case 0: .point
    case 1: .circle(Point(x: number, y: 0), radius: 0.1)
    case 2: .named(number: number, "a", text(number))
    case 3: .default(nil)
    case 4: .default(number)
    case 5: .pair((1, "a"))
    default: .nothing(())
    }
  }
  static func tree(_ number: Int) -> Tree {
    let depth = number.magnitudeModulo(5)
    return (0..<depth).reduce(Tree.leaf(number)) { tree, index in
      index % 2 == 0 ? .one(tree) : .two(.leaf(index), tree)
    }
  }
  static func pair(_ number: Int) -> Pair<String, [Level: Int]> {
    Pair(first: text(number), second: [level(number): number])
  }
  static func form(_ number: Int) -> Form {
    Form(inner: Form.Inner(value: number, `in`: text(number)), isEmpty: number % 2 == 0)
  }
  static func codable(_ number: Int) -> OnlyCodable {
    OnlyCodable(name: text(number), count: number % 3 == 0 ? nil : number)
  }
  static func items(_ number: Int) -> IdentifiedArrayOf<Item> {
    IdentifiedArray(
      uniqueElements: (0...number.magnitudeModulo(4)).map {
        Item(id: ($0 &* 7) % 5, title: text(number &+ $0))
      }.shuffled(number)
    )
  }
  static func components(_ number: Int) -> DateComponents {
    DateComponents(year: 2_025, month: 1 + number.magnitudeModulo(12))
  }
  static func locale(_ number: Int) -> Locale {
    Locale(identifier: number % 2 == 0 ? "de_DE" : "en_US")
  }
  static func characters(_ number: Int) -> CharacterSet { CharacterSet(charactersIn: "a\(number)") }
  static func box(_ number: Int) -> Box { Box(number: number, text: text(number)) }
}

extension Int {
  func magnitudeModulo(_ count: Int) -> Int { Int(magnitude % UInt(count)) }
}

extension Array {
  fileprivate func shuffled(_ number: Int) -> [Element] { number % 2 == 0 ? self : reversed() }
}

@LogValue
struct Point: Hashable, Sendable {
  var x = 0
  var y = 0
  var sum: Int { x &+ y }
  static let zero = Point()
}

enum Choice: String, CaseIterable, Codable, Sendable, CodingKeyRepresentable {
  case first
  case second = "$second"
  case third = "a/b"
}

@LogValue
enum Level: Int, Sendable {
  case low = -1
  case high = 1
}

@LogValue
enum Shape: Sendable {
  case point
  case circle(Point, radius: Double)
  case named(number: Int, _ unnamed: String, String)
  case `default`(Int?)
  case pair((Int, String))
  case nothing(Void)
}

extension Shape: Equatable {
  static func == (lhs: Shape, rhs: Shape) -> Bool { "\(lhs)" == "\(rhs)" }
}

@LogValue
indirect enum Tree: Equatable, Sendable {
  case leaf(Int)
  case one(Tree)
  case two(Tree, Tree)
}

@LogValue
struct Pair<First: Sendable, Second: Sendable>: Sendable {
  var first: First
  var second: Second
}

extension Pair: Equatable where First: Equatable, Second: Equatable {}

@LogValue
struct Form: Equatable, Sendable {
  struct Inner: Equatable, Sendable {
    var value = 0
    var `in` = ""
  }
  var inner = Inner()
  var isEmpty = true { didSet { changes += 1 } }
  private(set) var changes = 0
  @Clamped var level = 0
  let version = 2
  lazy var cached = 1

  init(inner: Inner, isEmpty: Bool) {
    self.inner = inner
    self.isEmpty = isEmpty
    level = inner.value
  }

  static func == (lhs: Form, rhs: Form) -> Bool {
    lhs.inner == rhs.inner && lhs.isEmpty == rhs.isEmpty && lhs.changes == rhs.changes
      && lhs.level == rhs.level
  }
}

@propertyWrapper
struct Clamped: Equatable, Sendable {
  private var number = 0
  var wrappedValue: Int {
    get { number }
    set { number = min(max(newValue, 0), 9) }
  }
  init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
}

struct OnlyCodable: Codable, Hashable, Sendable {
  var name: String
  var count: Int?
  enum CodingKeys: String, CodingKey {
    case name = "$name"
    case count
  }
}

@LogValue
struct Item: Equatable, Identifiable, Sendable {
  let id: Int
  var title = ""
}

/// A value whose storage is shared until it is changed.
struct Box: Equatable, Codable, Sendable {
  private final class Storage: Codable, Sendable {
    let number: Int
    let text: String
    init(number: Int, text: String) {
      self.number = number
      self.text = text
    }
  }
  private var storage: Storage
  init(number: Int, text: String) { storage = Storage(number: number, text: text) }
  static func == (lhs: Box, rhs: Box) -> Bool {
    lhs.storage.number == rhs.storage.number && lhs.storage.text == rhs.storage.text
  }
}
