import Testing

/// An expected text of a dump or a difference.
struct DumpCase: CustomTestStringConvertible, Sendable {
  let name: String
  let actual: @Sendable () -> String
  let expected: String

  init(_ name: String, dump: @escaping @Sendable () -> String, is expected: String) {
    self.name = name
    self.actual = dump
    self.expected = expected
  }

  init(_ name: String, difference: @escaping @Sendable () -> String?, is expected: String) {
    self.init(name, dump: { difference() ?? "no difference" }, is: expected)
  }

  var testDescription: String { name }
}
