import ActionLog
import Synchronization

/// The parts of the state that are not compared, and which of them are nowhere: most likely slips of the pen.
///
/// A log is looked through only for what none before it has had, and by its first state and its patches alone.
package final class IgnoredPlaces: Sendable {
  /// A part, and where it is said to be left out.
  package struct Place: Sendable, Equatable {
    package let place: JSON.Pointer
    package let source: Source

    package init(
      place: JSON.Pointer,
      source: Source
    ) {
      self.place = place
      self.source = source
    }
  }

  package enum Source: Sendable {
    /// In the arguments: for these logs.
    case option
    /// In the project's settings: for all logs that there will be.
    case settings
  }

  /// A part that no log has.
  package struct Missing: Sendable, Equatable {
    package let place: Place
    /// As far as its path leads in any state; nothing as long as there was none.
    package fileprivate(set) var end: MissingPlace?
  }

  private struct Search {
    var left: [Missing]
    var logs = 0
  }

  private let search: Mutex<Search>

  package init(_ places: [Place]) {
    search = Mutex(Search(left: places.map { Missing(place: $0) }))
  }

  /// What none of the logs that were looked through has, and how many these are.
  ///
  /// Of the project's settings it is only what no other log will have either.
  package var missing: (places: [Missing], logs: Int) {
    search.withLock { search in
      let places = search.left.filter { missing in
        guard let end = missing.end else { return false }
        return missing.place.source == .option || end.isCertain
      }
      return (places, search.logs)
    }
  }

  /// Looks through a log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - until: Its last action that counts.
  ///   - met: What its replay had.
  package func look(through log: LogSlice, until: Int, besides met: Set<JSON.Pointer>) {
    let left = search.withLock { search in
      search.left.removeAll { met.contains($0.place.place) }
      search.logs += 1
      return search.left.map(\.place.place)
    }
    guard !left.isEmpty else { return }
    var seeker = PlaceSeeker(left)
    // What cannot be read further has been reported by the replay.
    try? seeker.look(through: log, until: until)
    let ends = seeker.ends
    search.withLock { search in
      search.left.removeAll { left.contains($0.place.place) && ends[$0.place.place] == nil }
      for index in search.left.indices {
        guard let end = ends[search.left[index].place.place] else { continue }
        search.left[index].end = MissingPlace.nearest(search.left[index].end, end)
      }
    }
  }
}
