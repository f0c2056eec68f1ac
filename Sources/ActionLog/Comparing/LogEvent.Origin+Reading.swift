extension LogEvent.Origin {
  /// Reads an origin from the form in which a log holds it; `nil` when it is none.
  package static func reading(_ json: JSON) -> LogEvent.Origin? { LogEvent.Origin(json: json) }
}
