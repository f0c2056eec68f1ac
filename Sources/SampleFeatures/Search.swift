public import Foundation
public import TCACore

/// A search during typing, in which each new request cancels the previous one.
@Reducer
public struct Search: Sendable {
  /// The state of the search.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// The text in the search field.
    public var query = ""
    /// The names of the places that match the query.
    public var results: [String] = []
    /// The tags of the results.
    public var tags: Set<String> = []
    /// Whether a request is in progress.
    public var isSearching = false
    /// The error of the last request.
    public var failure: String?
    /// The time of the last request.
    public var askedAt: Date?

    /// Creates an empty search.
    public init() {}
  }

  /// The actions of the search.
  public enum Action: Sendable {
    /// The user changed the query.
    case queryChanged(String)
    /// The response to a request.
    case answered(Result<[Place], SearchError>)
    /// The user tapped the button that clears the field.
    case clearButtonTapped
  }

  private enum CancelID { case search }

  @Dependency(\.continuousClock) private var clock
  @Dependency(\.date.now) private var now
  @Dependency(\.searchPlaces) private var search

  /// Creates the feature.
  public init() {}

  /// The reducer of the search.
  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .queryChanged(""): return .send(.clearButtonTapped)
      case .queryChanged(let query):
        state.query = query
        state.isSearching = true
        state.failure = nil
        state.askedAt = now
        return .run(name: "search", input: query) { send in
          try await clock.sleep(for: .milliseconds(20))
          await send(.answered(Result { () throws(SearchError) in try search(query) }))
        }
        .cancellable(id: CancelID.search, cancelInFlight: true)
      case .answered(.success(let places)):
        state.isSearching = false
        state.results = places.map(\.name)
        state.tags = Set(places.flatMap(\.tags))
        return .none
      case .answered(.failure(let error)):
        state.isSearching = false
        state.results = []
        state.failure = "\(error)"
        return .none
      case .clearButtonTapped:
        state = State()
        return .cancel(id: CancelID.search)
      }
    }
  }
}

/// A geographical place.
@LogValue
public struct Place: Equatable, Sendable {
  /// The name of the place.
  public var name: String
  /// The categories of the place.
  public var tags: [String]

  /// Creates a place.
  public init(name: String, tags: [String]) {
    self.name = name
    self.tags = tags
  }
}

/// The reasons for which a search fails.
@LogValue
public enum SearchError: Error, Equatable {
  /// The query contains characters other than letters.
  case notAWord(String)
}

/// Finds places by the prefix of their name.
public struct SearchPlaces: Sendable {
  private let search: @Sendable (String) throws(SearchError) -> [Place]

  /// Creates a client from a search function.
  public init(_ search: @escaping @Sendable (String) throws(SearchError) -> [Place]) {
    self.search = search
  }

  /// Returns the places whose name begins with a query.
  ///
  /// - Throws: `SearchError` if the query is invalid.
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

  /// Searches a list in the source code.
  public static let liveValue = SearchPlaces { query throws(SearchError) in
    guard query.allSatisfy(\.isLetter) else { throw .notAWord(query) }
    return places.filter { $0.name.lowercased().hasPrefix(query.lowercased()) }
  }

  /// The live value, because it needs no server.
  public static let testValue = liveValue
}

extension DependencyValues {
  /// The client that finds places.
  public var searchPlaces: SearchPlaces {
    get { self[SearchPlaces.self] }
    set { self[SearchPlaces.self] = newValue }
  }
}
