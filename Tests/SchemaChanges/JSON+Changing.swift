internal import ActionLog
internal import ReplayEngine

// Changes of values that many rows of the table share.
extension JSON {
  /// Reverses the order of an object's members.
  mutating func reverseMembers() {
    guard let object else { return }
    self = .object(Object(members: object.map { ($0.key, $0.value) }.reversed()))
  }

  mutating func unwrap(_ place: String, from member: String) throws {
    try change(place) { $0 = $0[member] ?? $0 }
  }

  mutating func reverse(at place: String) throws {
    try change(place) { $0.reverseMembers() }
  }

  /// Joins the two names of a buyer into one text.
  mutating func joinNames(at place: String) throws {
    try change(place) { buyer in
      buyer = .string("\(buyer["first"]?.string ?? "") \(buyer["last"]?.string ?? "")")
    }
  }

  /// Splits one text into the two names of a buyer.
  mutating func splitNames(at place: String) throws {
    try change(place) { buyer in
      let names = (buyer.string ?? "").split(separator: " ").map { JSON.string(String($0)) }
      buyer = ["first": names.first ?? "", "last": names.last ?? ""]
    }
  }

  mutating func makeText(at place: String) throws {
    try change(place) { $0 = .string("\($0.int ?? 0)") }
  }

  mutating func makeNumber(at place: String) throws {
    try change(place) { $0 = .number(JSON.Number(Int($0.string ?? "") ?? 0)) }
  }
}
