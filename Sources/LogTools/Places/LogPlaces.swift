import ActionLog
import ReplayEngine

/// The places that the states of a log have, from which one is proposed for a place that leads nowhere.
package struct LogPlaces: Sendable {
  /// The places and those that they are in, with `[*]` for elements.
  private let texts: [String]

  /// Collects the places of a log.
  ///
  /// - Throws: What the events throw.
  package init(_ events: LogComparison.Events) throws {
    var tree = PlaceTree()
    var marks = PlaceTree.Marks()
    while let event = try events() { tree.markPaths(event, &marks) }
    self.init(tree.places(marks).filter { !$0.isValue }.map(\.text))
  }

  /// Collects the places of logs, without those that can't be read.
  init(in logs: [LogSlice]) {
    texts = Set(logs.flatMap { $0.places?.texts ?? [] }).sorted()
  }

  /// Collects the places of states.
  package init(states: [JSON]) {
    var tree = PlaceTree()
    var marks = PlaceTree.Marks()
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

  /// The place that has the names of the typed one at its end, or in order; `nil` when there is none.
  package func exact(_ typed: String) -> String? { Suggestion.exactPath(to: typed, among: texts) }

  /// The place that was most likely meant; `nil` when none is similar.
  package func closest(to typed: String) -> String? {
    Suggestion.closestPath(to: typed, among: texts)
  }
}

extension UnresolvedPath {
  /// The end of the path with the place that was most likely meant, which may be elsewhere.
  ///
  /// - Parameters:
  ///   - typed: The place as it was typed.
  ///   - places: The places of the log.
  /// - Returns: The end.
  package func proposing(_ typed: String, from places: LogPlaces?) -> UnresolvedPath {
    var end = self
    // The place up to which it leads is no help; in a query that begins before the state.
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
  /// The places of the log; `nil` when it can't be read.
  package var places: LogPlaces? { (try? events()).flatMap { try? LogPlaces($0) } }
}
