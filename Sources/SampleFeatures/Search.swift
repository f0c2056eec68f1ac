public import Foundation
public import TCACore

/// A search whose answer is asked for while one types; a newer question cancels the older one.
@Reducer
public struct Search: Sendable {
  /// What is on the screen.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// What was typed.
    public var query = ""
    /// What was found.
    public var results: [String] = []
    /// The tags that results were found under.
    public var tags: Set<String> = []
    /// Whether an answer is awaited.
    public var isSearching = false
    /// Why there is no answer.
    public var failure: String?
    /// When the last question was asked.
    public var askedAt: Date?

    /// An empty search.
    public init() {}
  }

  /// What can happen.
  public enum Action: Sendable {
    /// Something was typed.
    case queryChanged(String)
    /// The answer to a question.
    case answered(Result<[Place], SearchError>)
    /// The button that clears the field.
    case clearButtonTapped
  }

  private enum CancelID { case search }

  @Dependency(\.continuousClock) private var clock
  @Dependency(\.date.now) private var now
  @Dependency(\.searchPlaces) private var search

  /// A search.
  public init() {}

  /// What the search does.
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

  /// The same as live: it needs no server.
  public static let testValue = liveValue
}

extension DependencyValues {
  /// Finds places.
  public var searchPlaces: SearchPlaces {
    get { self[SearchPlaces.self] }
    set { self[SearchPlaces.self] = newValue }
  }
}
