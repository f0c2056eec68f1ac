import ActionLog
import LogTools
import ReplayDebugger
import ReplayEngine

/// The breakpoints that a client has set, by group, each with the number of its breakpoint in the session.
struct BreakpointTable {
  /// Identifies the breakpoints that a client sets with one request.
  ///
  /// A later request for the group replaces all of its breakpoints.
  enum Group: Hashable {
    /// The breakpoints in a source, which is identified by name.
    case source(String)
    case functions, data, exceptions
  }

  /// A breakpoint as requested by a client.
  struct RequestedBreakpoint {
    /// The target as the client wrote it.
    ///
    /// Requests with the same text and the same conditions refer to the same breakpoint.
    let text: String
    /// The target, or an error if the request has no valid target.
    let target: Result<Breakpoint.Target, RequestError>
    var condition: String?
    var hitCondition: String?
    var logMessage: String?
    /// The response members that describe the breakpoint's location.
    var place = JSON.Object()
    /// The reason why the breakpoint is not verified yet, or `nil` if the breakpoint is verified.
    var pending: String?
  }

  fileprivate struct BreakpointEntry {
    let id: Int
    var wanted: RequestedBreakpoint
    /// The breakpoint's number in the session, or `nil` if the breakpoint could not be set.
    var number: Int?
    var hitCondition: HitCondition?
    /// The reason why the breakpoint could not be set, or `nil` if it was set.
    var problem: RequestError?
    /// Whether the breakpoint has stopped the log, which verifies it.
    var isMet = false
  }

  private var groups: [Group: [BreakpointEntry]] = [:]
  private var lastID = 0

  /// Replaces the breakpoints of a group.
  ///
  /// - Returns: The breakpoints in the protocol's JSON format, in the order of the request.
  mutating func replaceGroup(
    _ wanted: [RequestedBreakpoint],
    in group: Group,
    of session: DebugSession
  ) -> [JSON] {
    var old = groups[group] ?? []
    var entries: [BreakpointEntry] = []
    for wanted in wanted {
      // An unchanged breakpoint keeps its hit count.
      if let same = old.firstIndex(where: { $0.wanted.isSame(as: wanted) }) {
        var entry = old.remove(at: same)
        // The reason is updated, because more of the log may be known than before.
        entry.wanted.pending = wanted.pending
        entries.append(entry)
      } else {
        lastID += 1
        entries.append(add(wanted, id: lastID, to: session))
      }
    }
    for entry in old { if let number = entry.number { session.deleteBreakpoint(number) } }
    groups[group] = entries
    return entries.map { JSON.object($0.json) }
  }

  /// Sets all breakpoints again in a new session.
  mutating func move(to session: DebugSession) {
    for (group, entries) in groups {
      groups[group] = entries.map { add($0.wanted, id: $0.id, to: session) }
    }
  }

  private func add(
    _ wanted: RequestedBreakpoint,
    id: Int,
    to session: DebugSession
  ) -> BreakpointEntry {
    var entry = BreakpointEntry(id: id, wanted: wanted)
    do throws(RequestError) {
      let target = try wanted.target.get()
      let condition = try Self.condition(wanted.condition ?? "")
      if let text = wanted.hitCondition, !text.isEmpty {
        guard let hitCondition = HitCondition(text) else {
          throw .badArgument(
            "hitCondition",
            expected: HitCondition.expected,
            found: .string(text)
          )
        }
        entry.hitCondition = hitCondition
      }
      let breakpoint = session.addBreakpoint(
        target,
        text: wanted.text,
        condition: condition,
        message: try Self.message(wanted.logMessage ?? "")
      )
      entry.number = breakpoint.number
      let ignoreCount = entry.hitCondition?.ignoreCount ?? 0
      session.changeBreakpoint(breakpoint.number) { $0.ignoreCount = ignoreCount }
    } catch {
      entry.problem = error
    }
    return entry
  }

  private static func condition(
    _ text: String
  ) throws(RequestError) -> (text: String, condition: Condition)? {
    guard !text.isEmpty else { return nil }
    do throws(DebugError) { return try DebuggerCommands.parsed(text) } catch {
      throw .failed("\(error)")
    }
  }

  private static func message(_ text: String) throws(RequestError) -> LogpointMessage? {
    guard !text.isEmpty else { return nil }
    do throws(DebugError) { return try LogpointMessage(parsing: text) } catch {
      throw .failed("\(error)")
    }
  }

  /// A breakpoint that stopped the log.
  struct HitBreakpoint {
    let id: Int
    let group: Group
    /// The body of a `breakpoint` event if this stop has verified the breakpoint, or `nil` otherwise.
    let change: JSON.Object?
  }

  /// Marks the breakpoints that stopped a session as verified, and applies their hit conditions.
  mutating func meet(_ hits: [Stop.Hit], in session: DebugSession) -> [HitBreakpoint] {
    var met: [HitBreakpoint] = []
    for (group, entries) in groups {
      for (index, entry) in entries.enumerated() {
        guard let number = entry.number, hits.contains(where: { $0.number == number }) else {
          continue
        }
        let wasPending = entry.pending != nil
        groups[group]?[index].isMet = true
        met.append(
          HitBreakpoint(
            id: entry.id,
            group: group,
            change: wasPending ? groups[group]?[index].json : nil
          )
        )
        let count = session.breakpoints.first { $0.number == number }?.hits ?? 0
        switch entry.hitCondition?.sequel(hits: count) {
        case nil, .stay: break
        case .ignore(let count): session.changeBreakpoint(number) { $0.ignoreCount = count }
        case .disable: session.changeBreakpoint(number) { $0.isEnabled = false }
        }
      }
    }
    return met.sorted { $0.id < $1.id }
  }
}

extension BreakpointTable.RequestedBreakpoint {
  fileprivate func isSame(as other: Self) -> Bool {
    text == other.text && condition == other.condition && hitCondition == other.hitCondition
      && logMessage == other.logMessage && place == other.place
  }
}

extension BreakpointTable.BreakpointEntry {
  fileprivate var pending: String? { isMet || problem != nil ? nil : wanted.pending }

  fileprivate var json: JSON.Object {
    var object = wanted.place
    object["id"] = .number(JSON.Number(id))
    object["verified"] = .bool(problem == nil && pending == nil)
    if let problem {
      object["message"] = .string(problem.text.filled)
      object["reason"] = "failed"
    } else if let pending {
      object["message"] = .string(pending)
      object["reason"] = "pending"
    }
    return object
  }
}
