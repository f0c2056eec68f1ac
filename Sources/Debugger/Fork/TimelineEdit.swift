import ActionLog

/// An edit of a log's history, which changes a single event.
///
/// All numbers refer to the log before the edit. Edits have a text form and a JSON form:
///
/// | words | JSON |
/// | --- | --- |
/// | `skip 4` | `{"skip":4}` |
/// | `edit 12 .rename("x")` | `{"edit":12,"action":{"rename":{"_0":"x"}}}` |
/// | `edit 12 rename.0 = "x"` | `{"edit":12,"place":"/rename/_0","value":"x"}` |
/// | `insert 4 .tapped` | `{"insert":{"tapped":{}},"after":4}` |
/// | `reorder 7 before 4` | `{"reorder":7,"before":4}` |
/// | `answer 5 uuid = "…"` | `{"answer":5,"read":"uuid","index":0,"value":"…"}` |
/// | `answer 4.0 .loaded([])` | `{"answer":"4.0","action":{"loaded":{"_0":[]}}}` |
/// | `answer 4.0 failed "offline"` | `{"answer":"4.0","failed":"offline"}` |
/// | `answer 4.0 cancelled` | `{"answer":"4.0","cancelled":true}` |
/// | `answer 4.0 nothing` | `{"answer":"4.0","nothing":true}` |
/// | `set 4 todos[0].title = "x"` | `{"set":"/todos/0/title","value":"x","after":4}` |
package enum TimelineEdit: Sendable, Hashable {
  /// Drops the action.
  case skip(seq: Int)
  /// Replaces the action.
  case replace(seq: Int, by: ValueLiteral)
  /// Replaces a part of the action.
  case change(seq: Int, ValuePath, to: ValueLiteral)
  /// Inserts an action that the view sends.
  case insert(ValueLiteral, after: Int)
  /// Moves the action.
  case reorder(seq: Int, Position)
  /// Replaces a value that the reducer read. The first read of a key has the index 0.
  case answerRead(seq: Int, key: String, index: Int, ValueLiteral)
  /// Replaces the output of an effect.
  case answerEffect(EffectID, EffectOutputOverride)
  /// Changes the state from outside.
  case set(ValuePath, to: ValueLiteral, after: Int)

  /// A position relative to another action.
  package enum Position: Sendable, Hashable {
    case before(Int)
    case after(Int)

    /// The number of the action that defines the position.
    var neighbor: Int {
      switch self {
      case .before(let seq), .after(let seq): seq
      }
    }
  }

  /// The output that replaces the recorded output of an effect.
  package enum EffectOutputOverride: Sendable, Hashable {
    /// The effect sends this action.
    case sends(ValueLiteral)
    /// The effect throws this error.
    case fails(ValueLiteral)
    /// The effect is canceled.
    case isCancelled
    /// The effect finishes without sending an action.
    case sendsNothing
  }
}

/// An action or a value, as JSON or in Swift notation.
///
/// In Swift notation, parts can be omitted. The log supplies them.
package enum ValueLiteral: Sendable, Hashable {
  case json(JSON)
  case text(String)

  /// Returns the action, with omitted parts completed.
  ///
  /// - Throws: `NotationSyntaxError`, `InexactNotationError`, `JSON.ParseError`.
  func action(over template: JSON?, _ samples: OmittedNotationParts) throws -> JSON {
    switch self {
    case .json(let json): return json
    case .text(let text) where text.hasPrefix("{"): return try JSON(parsing: text.utf8)
    case .text(let text): return try ActionPattern(parsing: text).json(over: template, samples)
    }
  }

  /// Returns the value, with omitted parts completed.
  ///
  /// - Throws: `NotationSyntaxError`, `InexactNotationError`.
  func value(over template: JSON?, _ samples: OmittedNotationParts) throws -> JSON {
    switch self {
    case .json(let json): json
    case .text(let text): try ActionPattern.value(parsing: text, over: template, samples)
    }
  }
}

extension TimelineEdit {
  /// Whether the edit replaces a value that the reducer read.
  var isOfRead: Bool { if case .answerRead = self { true } else { false } }

  /// The number of the action that the edit concerns, or `nil` for an edit of an effect.
  package var seq: Int? {
    switch self {
    case .skip(let seq), .replace(let seq, _), .change(let seq, _, _), .insert(_, let seq),
      .reorder(let seq, _), .answerRead(let seq, _, _, _), .set(_, _, let seq):
      seq
    case .answerEffect: nil
    }
  }
}
