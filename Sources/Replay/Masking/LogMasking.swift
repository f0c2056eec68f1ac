import ActionLog

/// Masks the logs of a file when they have been recorded.
///
/// It reads them twice: what is masked at the end of a log is also taken out of its beginning, which a recorder cannot know.
struct LogMasking {
  private let masks: LogMasks
  /// By the ids of logs: segments of one recording have the same substitutes, others have not.
  private var maskers: [String: LogMasker] = [:]
  private var id = ""
  /// The state as the log has it.
  private var state: JSON?

  /// A masking that has not seen anything yet.
  init(_ masks: LogMasks) { self.masks = masks }

  /// Reads what is masked.
  ///
  /// - Throws: What the source throws, and `CommandError` for a patch that does not fit.
  mutating func learn(from source: LogComparison.Events) throws {
    while let event = try source() { _ = try masked(event) }
    state = nil
  }

  /// The patterns that have matched nothing in any of the logs.
  var unmatched: [(subject: LogMasks.Subject, path: MaskPath)] {
    let lists = maskers.values.map(\.unmatched)
    return (lists.first ?? []).filter { found in
      lists.allSatisfy { $0.contains { $0 == found } }
    }
  }

  /// The event without what is masked.
  ///
  /// - Throws: `CommandError` for a patch that does not fit.
  mutating func masked(_ event: LogEvent) throws -> LogEvent {
    if case .header(let header) = event { open(header) }
    guard var masker = maskers[id] else { return event }
    maskers[id] = nil
    defer { maskers[id] = masker }
    var patch: JSON.Patch?
    if let recorded = event.patch {
      patch = try follow(recorded, of: event.seq ?? 0, &masker)
    } else if case .checkpoint(let checkpoint) = event {
      state = checkpoint.state
    }
    var result = masker.masked(event, patch: patch, state: state)
    if case .header(var header) = result {
      header.masked = (header.masked ?? LogMasks()).adding(masks)
      result = .header(header)
    }
    result.rest = masker.cleaned(result.rest)
    return result
  }

  private mutating func open(_ header: LogEvent.Header) {
    id = header.id
    state = nil
    if maskers[id] == nil { maskers[id] = LogMasker(masks, remembering: .max) }
  }

  /// Takes the state through a patch.
  ///
  /// - Returns: The masked patch, where it has to be made of the states.
  private mutating func follow(
    _ patch: JSON.Patch,
    of seq: Int,
    _ masker: inout LogMasker
  ) throws -> JSON.Patch? {
    guard var next = state else { return nil }
    let isByStates = patch.movesValues || masks.state.contains(where: \.countsElements)
    let old = isByStates ? masker.masked(state: next) : .null
    // One owner, so that it is changed where it is.
    state = nil
    do throws(JSON.Patch.ApplyError) { try patch.apply(to: &next) } catch {
      throw CommandError.brokenPatch(seq: seq, problem: "\(error)")
    }
    state = next
    return isByStates ? JSON.Patch(from: old, to: masker.masked(state: next)) : nil
  }
}

extension LogEvent {
  fileprivate var patch: JSON.Patch? {
    switch self {
    case .change(let change): change.patch
    case .external(let external): external.patch
    case .excluded(let excluded): excluded.patch
    default: nil
    }
  }
}

extension JSON.Patch {
  /// Whether a value gets from one place to another, which may be masked differently.
  fileprivate var movesValues: Bool {
    operations.contains {
      switch $0 {
      case .move, .copy: true
      case .add, .remove, .replace, .test: false
      }
    }
  }
}
