import ActionLog

/// A change of history: one thing that is to come otherwise than a log has it.
///
/// All numbers are those of the log that is edited. In words and as JSON:
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
  /// The action does not come.
  case skip(seq: Int)
  /// Another action comes in its place.
  case replace(seq: Int, by: TypedValue)
  /// A part of the action has another value.
  case change(seq: Int, ValuePath, to: TypedValue)
  /// The view sends one more action.
  case insert(TypedValue, after: Int)
  /// The action comes earlier or later.
  case reorder(seq: Int, Position)
  /// A dependency gives the reducer another answer; the first one of a key has the index 0.
  case answerRead(seq: Int, key: String, index: Int, TypedValue)
  /// An effect does something else.
  case answerEffect(EffectID, EffectAnswer)
  /// The state is changed from outside.
  case set(ValuePath, to: TypedValue, after: Int)

  /// A place among the actions.
  package enum Position: Sendable, Hashable {
    case before(Int)
    case after(Int)

    /// The action that the place is next to.
    var neighbor: Int {
      switch self {
      case .before(let seq), .after(let seq): seq
      }
    }
  }

  /// What an effect does.
  package enum EffectAnswer: Sendable, Hashable {
    /// It sends this action.
    case sends(TypedValue)
    /// It throws this error.
    case fails(TypedValue)
    /// It is cancelled.
    case isCancelled
    /// It finishes without an action.
    case sendsNothing
  }
}

/// An action or a value as it was given: as JSON, or typed in Swift notation, which the log may have to complete.
package enum TypedValue: Sendable, Hashable {
  case json(JSON)
  case text(String)

  /// The action that is meant.
  ///
  /// - Throws: `NotationSyntaxError`, `InexactNotation`, `JSON.ParseError`.
  func action(over template: JSON?, _ samples: NotationSamples) throws -> JSON {
    switch self {
    case .json(let json): return json
    case .text(let text) where text.hasPrefix("{"): return try JSON(parsing: text.utf8)
    case .text(let text): return try ActionPattern(parsing: text).json(over: template, samples)
    }
  }

  /// The value that is meant.
  ///
  /// - Throws: `NotationSyntaxError`, `InexactNotation`.
  func value(over template: JSON?, _ samples: NotationSamples) throws -> JSON {
    switch self {
    case .json(let json): json
    case .text(let text): try ActionPattern.value(parsing: text, over: template, samples)
    }
  }
}

extension TimelineEdit {
  /// Whether it changes what an action reads.
  var isOfRead: Bool { if case .answerRead = self { true } else { false } }

  /// The action that the edit is about, as a place on the timeline; `nil` for an effect's.
  package var seq: Int? {
    switch self {
    case .skip(let seq), .replace(let seq, _), .change(let seq, _, _), .insert(_, let seq),
      .reorder(let seq, _), .answerRead(let seq, _, _, _), .set(_, _, let seq):
      seq
    case .answerEffect: nil
    }
  }
}
