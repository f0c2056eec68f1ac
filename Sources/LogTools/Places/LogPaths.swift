import ActionLog
import ReplayEngine

/// The paths of the states of a log, used to suggest a correction for a path without a value.
package struct LogPaths: Sendable {
  /// The paths and their prefixes, with `[*]` for elements.
  private let texts: [String]

  /// Collects the paths of a log.
  ///
  /// - Throws: The errors of the events.
  package init(_ events: LogComparison.Events) throws {
    var tree = PathTree()
    var marks = PathTree.Marks()
    while let event = try events() { tree.markPaths(event, &marks) }
    self.init(tree.places(marks).filter { !$0.isValue }.map(\.text))
  }

  /// Collects the paths of logs.
  ///
  /// Unreadable logs are skipped.
  init(in logs: [LogSlice]) {
    texts = Set(logs.flatMap { $0.places?.texts ?? [] }).sorted()
  }

  /// Collects the paths of states.
  package init(states: [JSON]) {
    var tree = PathTree()
    var marks = PathTree.Marks()
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

  /// Returns the path that ends with the typed names, or contains them in order; `nil` if there is none.
  package func exact(_ typed: String) -> String? { Suggestion.exactPath(to: typed, among: texts) }

  /// Returns the path that was most likely meant; `nil` if none is similar.
  package func closest(to typed: String) -> String? {
    Suggestion.closestPath(to: typed, among: texts)
  }
}

extension UnresolvedPath {
  /// Returns the unresolved path with the most likely intended path, which may be in another part of the state.
  ///
  /// - Parameters:
  ///   - typed: The path as it was typed.
  ///   - places: The paths of the log.
  /// - Returns: The unresolved path with a suggestion.
  package func proposing(_ typed: String, from places: LogPaths?) -> UnresolvedPath {
    var end = self
    // The resolved part of the path is not a useful suggestion. In a query, that part starts above the state.
    let reached = Suggestion.names(Notation().pathText(path))
    func further(_ place: String?) -> String? {
      place.flatMap { place in
        let names = Suggestion.names(place)
        return reached.suffix(names.count) == names[...] ? nil : place
      }
    }
    end.exact = further(places?.exact(typed))
    end.similar = further(places?.closest(to: typed))
    return end
  }
}

extension LogSlice {
  /// The paths of the log; `nil` if the log can't be read.
  package var places: LogPaths? { (try? events()).flatMap { try? LogPaths($0) } }
}
