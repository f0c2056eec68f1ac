import TCACore
import Testing

/// Cases and members whose values are optional.
@LogValue
enum Selection: Equatable {
  case one(Int?)
  case labeled(at: Int?)
  case two(Int?, name: String?)
  case omissible(at: Int? = 3)
  case nested(Int??)
  case pair((Int?, String?))

  static func == (lhs: Selection, rhs: Selection) -> Bool { "\(lhs)" == "\(rhs)" }
}

@propertyWrapper struct Remembered: Equatable, LogValue {
  var wrappedValue: Int?
  func encode(to encoder: inout LogEncoder) { encoder.value(wrappedValue) }
  static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    Self(wrappedValue: try decoder.value(Int?.self))
  }
}

@LogValue
struct Selected: Equatable {
  let first: Int?
  @Remembered var second: Int?
  var third: Int?

  init(_ value: Int?) {
    first = value
    third = value
    second = value
  }
}

@Suite("An optional member can become 'nil' and get a value again")
struct OptionalMemberTests {
  static let payloads: [Int?] = [nil, 1]

  static let cases: [@Sendable (Int?) -> Selection] = [
    { .one($0) }, { .labeled(at: $0) }, { .two($0, name: $0.map { "\($0)" }) },
    { .omissible(at: $0) }, { .nested(.some($0)) }, { .pair(($0, $0.map { "\($0)" })) },
  ]

  /// Decodes a value over an earlier one, as a patch of a state does.
  private func decode<Value: LogValue>(_ value: Value, over template: Value) throws -> Value {
    try LogDecoder(JSON(logging: value)).value(Value.self, over: template)
  }

  @Test("in a payload, whatever the earlier payload was", arguments: payloads, payloads)
  func payload(earlier: Int?, later: Int?) throws {
    for make in Self.cases {
      #expect(try decode(make(later), over: make(earlier)) == make(later))
    }
  }

  @Test("in a constant, a wrapper and a variable", arguments: payloads, payloads)
  func member(earlier: Int?, later: Int?) throws {
    #expect(try decode(Selected(later), over: Selected(earlier)) == Selected(later))
  }
}
