/// A dictionary in parts, of which copies share those that no one has changed since.
struct PartitionedDictionary<Key: Hashable, Value> {
  /// None, or as many as a power of two.
  private var parts: [[Key: Value]] = []
  private var count = 0

  /// How many entries a part has before there are twice as many parts.
  private static var capacity: Int { 128 }

  init() {}

  /// An empty dictionary with parts for a number of entries.
  init(minimumCapacity: Int) {
    var partCount = 1
    while partCount * Self.capacity < minimumCapacity { partCount *= 2 }
    parts = Array(repeating: [:], count: partCount)
  }

  subscript(key: Key) -> Value? {
    get { parts.isEmpty ? nil : parts[part(of: key)][key] }
    set {
      if parts.isEmpty { parts = [[:]] }
      let part = part(of: key)
      let before = parts[part].count
      parts[part][key] = newValue
      count += parts[part].count - before
      if count > parts.count * Self.capacity { doubleParts() }
    }
  }

  private func part(of key: Key) -> Int {
    parts.count == 1 ? 0 : key.hashValue & (parts.count - 1)
  }

  private mutating func doubleParts() {
    let old = parts
    parts = Array(repeating: [:], count: old.count * 2)
    for entries in old {
      for (key, value) in entries { parts[part(of: key)][key] = value }
    }
  }
}

extension PartitionedDictionary: Sendable where Key: Sendable, Value: Sendable {}
