/// What differs between the entries of two sets or dictionaries.
struct EntryChanges<Entry> {
  /// An entry that went, one that came, or one that took the place of another with an equal key.
  private(set) var changes: [(old: Entry?, new: Entry?)] = []

  /// Compares entries.
  ///
  /// - Parameters:
  ///   - old: The entries before that may have changed.
  ///   - new: The entries after that may have changed.
  ///   - findOld: The entry before with the key of another one.
  ///   - findNew: The entry after with the key of another one.
  ///   - isSame: Whether two entries have the same bits.
  init(
    from old: [Entry],
    to new: [Entry],
    findOld: (Entry) -> Entry?,
    findNew: (Entry) -> Entry?,
    isSame: (Entry, Entry) -> Bool
  ) {
    for old in old {
      let new = findNew(old)
      if let new, isSame(old, new) { continue }
      changes.append((old, new))
    }
    for new in new where findOld(new) == nil { changes.append((nil, new)) }
  }
}
