import ActionLog
import ReplayEngine

/// Masks the logs of a file after they have been recorded.
///
/// It reads them twice. A value that is first masked at the end of a log can then be removed from its beginning. A
/// recorder cannot do this.
struct LogMasking {
  private let masks: LogMasks
  /// The maskers by the ids of logs.
  ///
  /// Segments of one recording share their substitutes.
  private var maskers: [String: LogMasker] = [:]
  private var id = ""
  /// The cursor on the unmasked state.
  private var cursor = LogCursor()
  /// The current action, and the values that its reducer has read.
  private var action: JSON?
  private var reads: [LogEvent.Read] = []

  /// Creates a masking that has read no logs yet.
  init(_ masks: LogMasks) { self.masks = masks }

  /// Collects the values to mask.
  ///
  /// - Throws: The source's errors, and `LogCursor.BrokenPatch` for a patch that does not fit.
  mutating func learn(from source: LogComparison.Events) throws {
    while let event = try source() { _ = try masked(event) }
    cursor = LogCursor()
  }

  /// Searches for texts that masks of these logs do not cover.
  var remainders: MaskRemainders { MaskRemainders(of: maskers.values.flatMap(\.knownTexts)) }

  /// The patterns without a match in any of the logs.
  var unmatched: [(subject: LogMasks.Subject, path: MaskPath)] {
    let lists = maskers.values.map(\.unmatched)
    return (lists.first ?? []).filter { found in
      lists.allSatisfy { $0.contains { $0 == found } }
    }
  }

  /// Returns the masked event.
  ///
  /// - Throws: `LogCursor.BrokenPatch` for a patch that does not fit.
  mutating func masked(_ event: LogEvent) throws -> LogEvent {
    let event = event.withoutRenderings
    if case .header(let header) = event { open(header) }
    try cursor.move(to: event)
    guard var masker = maskers[id] else { return event }
    maskers[id] = nil
    defer { maskers[id] = masker }
    var result = event
    switch event {
    case .header:
      result = masker.masked(event)
      guard case .header(var header) = result else { break }
      header.masked = (header.masked ?? LogMasks()).adding(masks)
      result = .header(header)
    case .checkpoint:
      result = masker.masked(event)
    case .action(let open):
      (action, reads) = (open.action, [])
      result = masker.masked(event)
    case .read(let read):
      reads.append(read)
      result = masker.masked(event)
    default:
      guard var change = event.stateChange else {
        result = masker.masked(event)
        break
      }
      change.patch = try apply(change.patch, &masker)
      change.effects = masker.masked(change.effects)
      change.shared = masked(change.shared, &masker)
      result.stateChange = change
      guard change.beginning == nil else { break }
      if let action { masker.noteCarriers(in: action, .action) }
      for read in reads { masker.noteCarriers(in: read.value, .read, key: read.key) }
      (action, reads) = (nil, [])
    }
    return result.replacing(rest: masker.cleaned(result.rest))
  }

  private mutating func open(_ header: LogEvent.Header) {
    id = header.id
    (action, reads) = (nil, [])
    if maskers[id] == nil { maskers[id] = LogMasker(masks, remembering: .max) }
  }

  /// Applies a patch to the state.
  ///
  /// - Returns: The masked patch.
  private mutating func apply(
    _ patch: JSON.Patch,
    _ masker: inout LogMasker
  ) throws -> JSON.Patch {
    let masked = masker.masked(patch)
    guard cursor.state != nil else { return masked ?? JSON.Patch() }
    // If the patch does not show which values it causes to be masked, the states are compared.
    let old = masked == nil ? masker.masked(state: cursor.state ?? .null) : .null
    try cursor.apply()
    return masked ?? JSON.Patch(from: old, to: masker.masked(state: cursor.state ?? .null))
  }

  private func masked(_ shared: JSON?, _ masker: inout LogMasker) -> JSON? {
    guard let shared, let state = cursor.state else { return nil }
    return masker.masked(shared: shared, of: masker.masked(state: state))
  }
}
