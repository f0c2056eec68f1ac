/// Values by name, in the order in which the names came up.
struct Tally<Value> {
  private var names: [String] = []
  /// The values, in the order of the names.
  var values: [Value] = []
  private var places: [String: Int] = [:]

  /// The names with their values.
  var rows: [(name: String, value: Value)] { zip(names, values).map { ($0, $1) } }

  /// So many names are faster looked through than hashed.
  private static var fewNames: Int { 16 }

  /// The place of a name, which begins with this value when it is new.
  mutating func place(of name: String, from value: @autoclosure () -> Value) -> Int {
    for place in 0..<min(names.count, Self.fewNames) where names[place] == name { return place }
    if let place = places[name] { return place }
    places[name] = names.count
    names.append(name)
    values.append(value())
    return names.count - 1
  }

  /// Changes the value of a name.
  mutating func change(
    _ name: String,
    from value: @autoclosure () -> Value,
    _ body: (inout Value) -> Void
  ) {
    body(&values[place(of: name, from: value())])
  }
}
