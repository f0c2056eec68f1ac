import ActionLog
import ReplayCommands
import ReplayEngine

/// The paths in the states of a log, from which corrections for mistyped paths are suggested.
package struct StatePathSuggestions: Sendable {
  /// The paths and all their prefixes, sorted, with `[*]` for array elements.
  private let texts: [String]

  /// Collects the paths in the states of a log.
  ///
  /// - Throws: The errors that `events` throws, such as `LogReadError`.
  package init(_ events: LogComparison.Events) throws {
    var tree = StatePathTree()
    var marks = StatePathTree.ReachedPaths()
    while let event = try events() { tree.markPaths(event, &marks) }
    self.init(tree.places(marks).filter { !$0.isValue }.map(\.text))
  }

  /// Collects the paths in the states of several logs, and skips unreadable logs.
  init(in logs: [LogSlice]) {
    texts = Set(logs.flatMap { $0.places?.texts ?? [] }).sorted()
  }

  /// Collects the paths that have a value in at least one of the given states.
  package init(states: [JSON]) {
    var tree = StatePathTree()
    var marks = StatePathTree.ReachedPaths()
    for state in states {
      tree.markPaths(.checkpoint(LogEvent.Checkpoint(seq: 0, state: state, effects: [])), &marks)
    }
    self.init(tree.places(marks).filter { !$0.isValue }.map(\.text))
  }

  private init(_ places: [String]) {
    var texts: Set<String> = []
    for place in places {
      texts.insert(place)
      for index in place.indices where place[index] == "." || place[index] == "[" {
        texts.insert(String(place[..<index]))
      }
    }
    self.texts = texts.subtracting([""]).sorted()
  }

  /// Returns the path that ends with the typed names, or contains them in order, or `nil` if there is none.
  package func exact(_ typed: String) -> String? {
    SpellingSuggestion.exactPath(to: typed, among: texts)
  }

  /// Returns the path that is most similar to a typed path, or `nil` if none is similar.
  package func closest(to typed: String) -> String? {
    SpellingSuggestion.closestPath(to: typed, among: texts)
  }
}

extension UnresolvedPath {
  /// Returns the unresolved path with suggested corrections, which may be in another part of the state.
  ///
  /// - Parameters:
  ///   - typed: The path as the user typed it.
  ///   - places: The paths from which the corrections are chosen, or `nil` for no corrections.
  /// - Returns: The unresolved path, with its `exact` and `similar` corrections set.
  package func proposing(_ typed: String, from places: StatePathSuggestions?) -> UnresolvedPath {
    var end = self
    // The part that resolved is not a useful suggestion. In a query, it starts with the names above the state.
    let reached = SpellingSuggestion.names(Notation().pathText(path))
    func further(_ place: String?) -> String? {
      place.flatMap { place in
        let names = SpellingSuggestion.names(place)
        return reached.suffix(names.count) == names[...] ? nil : place
      }
    }
    end.exact = further(places?.exact(typed))
    end.similar = further(places?.closest(to: typed))
    return end
  }
}

extension LogSlice {
  /// The paths in the log's states, or `nil` if the log can't be read.
  package var places: StatePathSuggestions? {
    (try? events()).flatMap { try? StatePathSuggestions($0) }
  }
}
