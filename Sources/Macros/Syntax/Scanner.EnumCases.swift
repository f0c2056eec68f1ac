extension Scanner {
  /// Reads `case a, b(Int), c = 1` from the word `case` on.
  mutating func cases() throws(ScanError) -> [EnumCase] {
    index += 1
    var cases: [EnumCase] = []
    repeat {
      let first = index
      let name = try identifier()
      let payload = isAt("(") ? try parameterList() : nil
      let rawValue = accept("=") ? try expression() : nil
      cases.append(
        EnumCase(name: name, payload: payload, rawValue: rawValue, range: range(from: first))
      )
    } while accept(",")
    return cases
  }
}
