public import TCACore

/// A place on earth.
@LogValue
public struct Place: Equatable, Sendable {
  /// Its name.
  public var name: String
  /// What it is known for.
  public var tags: [String]

  /// A place.
  public init(name: String, tags: [String]) {
    self.name = name
    self.tags = tags
  }
}

/// Why a question has no answer.
@LogValue
public enum SearchError: Error, Equatable {
  /// The question can't be understood.
  case notAWord(String)
}

/// Finds places by the beginning of their name.
public struct SearchPlaces: Sendable {
  private let search: @Sendable (String) throws(SearchError) -> [Place]

  /// A way of searching.
  public init(_ search: @escaping @Sendable (String) throws(SearchError) -> [Place]) {
    self.search = search
  }

  /// Finds places.
  ///
  /// - Throws: `SearchError` when the question can't be understood.
  public func callAsFunction(_ query: String) throws(SearchError) -> [Place] {
    try search(query)
  }
}

extension SearchPlaces: DependencyKey {
  private static let places = [
    Place(name: "Oslo", tags: ["capital", "fjord"]),
    Place(name: "Osaka", tags: ["castle", "harbour"]),
    Place(name: "Ottawa", tags: ["capital", "canal"]),
    Place(name: "Lima", tags: ["capital", "harbour", "desert"]),
  ]

  /// Looks through a list that is part of the code.
  public static let liveValue = SearchPlaces { query throws(SearchError) in
    guard query.allSatisfy(\.isLetter) else { throw .notAWord(query) }
    return places.filter { $0.name.lowercased().hasPrefix(query.lowercased()) }
  }

  /// The same as live: it asks nobody.
  public static let testValue = liveValue
}

extension DependencyValues {
  /// Finds places.
  public var searchPlaces: SearchPlaces {
    get { self[SearchPlaces.self] }
    set { self[SearchPlaces.self] = newValue }
  }
}
