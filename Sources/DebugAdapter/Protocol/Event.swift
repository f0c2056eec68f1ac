import ActionLog

/// An event that the adapter sends to a client.
struct Event: Equatable {
  let name: String
  let body: JSON.Object?

  init(_ name: String, _ body: JSON.Object? = nil) { (self.name, self.body) = (name, body) }

  /// Returns an event that prints a line in the client's console.
  static func output(_ text: String, _ category: String = "console") -> Event {
    Event("output", ["category": .string(category), "output": .string(text + "\n")])
  }
}
