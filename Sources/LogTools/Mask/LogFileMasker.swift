import ActionLog
import ReplayEngine

/// Masks the logs of a file after they have been recorded.
///
/// Every log is read twice. A value that first occurs at a masked path near the end of a log is therefore also removed
/// from the log's beginning, which a recorder cannot do.
struct LogFileMasker {
  private let masks: LogMasks
  /// The maskers, keyed by log id.
  ///
  /// Segments of one recording have the same id, so they share their substitutes.
  private var maskers: [String: LogMasker] = [:]
  private var id = ""
  /// The cursor that follows the unmasked state.
  private var cursor = LogCursor()
  /// The action that has not finished yet, whose reads are in `reads`.
  private var action: JSON?
  private var reads: [LogEvent.Read] = []

  /// Creates a masker that has read no logs.
  ///
  /// Call `learn(from:)` for all logs before `masked(_:)`.
  init(_ masks: LogMasks) { self.masks = masks }

  /// Reads a log and collects the values to mask.
  ///
  /// - Throws: The errors that `source` throws, such as `LogReadError`, and `LogCursor.BrokenPatch` if a patch does not
  ///   fit the state.
  mutating func learn(from source: LogComparison.Events) throws {
    while let event = try source() { _ = try masked(event) }
    cursor = LogCursor()
  }

  /// A search for forms of masked strings that masking keeps, such as the reversed string.
  var remainders: UnmaskedFormSearch {
    UnmaskedFormSearch(of: maskers.values.flatMap(\.knownTexts))
  }

  /// The mask patterns that match nothing in any log.
  var unmatched: [(subject: LogMasks.Subject, path: MaskPath)] {
    let lists = maskers.values.map(\.unmatched)
    return (lists.first ?? []).filter { found in
      lists.allSatisfy { $0.contains { $0 == found } }
    }
  }

  /// Returns an event with masked values.
  ///
  /// - Throws: `LogCursor.BrokenPatch` if the event's patch does not fit the state.
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
      if let action { masker.recordCarriers(in: action, .action) }
      for read in reads { masker.recordCarriers(in: read.value, .read, key: read.key) }
      (action, reads) = (nil, [])
    }
    return result.replacing(rest: masker.cleaned(result.rest))
  }

  private mutating func open(_ header: LogEvent.Header) {
    id = header.id
    (action, reads) = (nil, [])
    if maskers[id] == nil { maskers[id] = LogMasker(masks, remembering: .max) }
  }

  /// Applies a patch to the unmasked state.
  ///
  /// - Returns: The masked patch.
  private mutating func apply(
    _ patch: JSON.Patch,
    _ masker: inout LogMasker
  ) throws -> JSON.Patch {
    let masked = masker.masked(patch)
    guard cursor.state != nil else { return masked ?? JSON.Patch() }
    // If the patch can't be masked by itself, the masked patch is computed from the masked states.
    let old = masked == nil ? masker.masked(state: cursor.state ?? .null) : .null
    try cursor.apply()
    return masked ?? JSON.Patch(from: old, to: masker.masked(state: cursor.state ?? .null))
  }

  private func masked(_ shared: JSON?, _ masker: inout LogMasker) -> JSON? {
    guard let shared, let state = cursor.state else { return nil }
    return masker.masked(shared: shared, of: masker.masked(state: state))
  }
}
