/// What differs between the entries of two sets or dictionaries.
///
/// A copy keeps its entries in their places as long as it does not grow, so both are walked in step; an entry is looked up only
/// where they differ.
struct EntryChanges<Entry> {
  /// An entry that went, one that came, or one that took the place of another with an equal key.
  private(set) var changes: [(old: Entry?, new: Entry?)] = []

  /// Compares entries.
  ///
  /// - Parameters:
  ///   - old: The entries before.
  ///   - new: The entries after.
  ///   - findOld: The entry before with the key of another one.
  ///   - findNew: The entry after with the key of another one.
  ///   - isSame: Whether two entries have the same bits.
  init(
    from old: some Sequence<Entry>,
    to new: some Sequence<Entry>,
    findOld: (Entry) -> Entry?,
    findNew: (Entry) -> Entry?,
    isSame: (Entry, Entry) -> Bool
  ) {
    var (olds, news) = (old.makeIterator(), new.makeIterator())
    var (left, right) = (olds.next(), news.next())
    // Entries that have another place in the other one, and those that are left when it ends.
    var moved: [Entry] = []
    while let old = left {
      guard let new = right else {
        moved.append(old)
        left = olds.next()
        continue
      }
      if isSame(old, new) {
        (left, right) = (olds.next(), news.next())
      } else if findNew(old) == nil {
        changes.append((old, nil))
        left = olds.next()
      } else if findOld(new) == nil {
        changes.append((nil, new))
        right = news.next()
      } else {
        moved.append(old)
        (left, right) = (olds.next(), news.next())
      }
    }
    while let new = right {
      if findOld(new) == nil { changes.append((nil, new)) }
      right = news.next()
    }
    for old in moved {
      guard let new = findNew(old) else {
        changes.append((old, nil))
        continue
      }
      if !isSame(old, new) { changes.append((old, new)) }
    }
  }
}
