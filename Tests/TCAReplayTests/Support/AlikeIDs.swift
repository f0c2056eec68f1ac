import TCACore

/// Cancellation ids with ambiguous texts, or with different texts although they are equal.
enum AlikeIDs {
  private enum CancelID: Hashable, Sendable { case load }

  /// The name of the id in a log is that of `OtherIDs.load`.
  static let load: any Hashable & Sendable = CancelID.load
  static let boxed: any Hashable & Sendable = Box(id: CancelID.load)
}

enum OtherIDs {
  private enum CancelID: Hashable, Sendable { case load }

  static let load: any Hashable & Sendable = CancelID.load
  static let boxed: any Hashable & Sendable = Box(id: CancelID.load)
}

struct Box<ID: Hashable & Sendable>: Hashable, Sendable { let id: ID }

extension Box: CustomStringConvertible {
  var description: String { "Box" }
}

/// Compared only by numbers, regardless of the labels.
struct LooseID: Hashable, Sendable {
  let number: Int
  let label: String

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// The same for a type that reads back from a log.
@LogValue
struct LoggedLooseID: Hashable, Sendable {
  let number: Int
  let label: String

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

final class ObjectID: Hashable, Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }

  static func == (lhs: ObjectID, rhs: ObjectID) -> Bool { lhs.number == rhs.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension AlikeIDs {
  /// All ids by their names in actions.
  static let all: [String: @Sendable () -> any Hashable & Sendable] = {
    @Sendable func localID() -> any Hashable & Sendable {
      enum CancelID: Hashable, Sendable { case load }
      return CancelID.load
    }
    @Sendable func otherLocalID() -> any Hashable & Sendable {
      enum CancelID: Hashable, Sendable { case load }
      return CancelID.load
    }
    return [
      "private": { load },
      "other private": { OtherIDs.load },
      "local": { localID() },
      "other local": { otherLocalID() },
      "generic": { boxed },
      "other generic": { OtherIDs.boxed },
      "loose first": { LooseID(number: 1, label: "first") },
      "loose second": { LooseID(number: 1, label: "second") },
      "loose other": { LooseID(number: 2, label: "first") },
      "logged loose first": { LoggedLooseID(number: 1, label: "first") },
      "logged loose second": { LoggedLooseID(number: 1, label: "second") },
      "zero": { 0.0 },
      "negative zero": { -0.0 },
      "composed": { "\u{E9}" },
      "decomposed": { "e\u{301}" },
      "object 1": { ObjectID(1) },
      "object 2": { ObjectID(2) },
      "array": { [0.0] },
      "negative array": { [-0.0] },
      "optional": { Optional("\u{E9}") },
    ]
  }()
}
