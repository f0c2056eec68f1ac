public import TCACore

/// A list of songs with faults that show only when actions come in an order that nobody tried: to find with `fuzz` and `explore`,
/// and no example to follow.
@Reducer
public struct Playlist: Sendable {
  /// What is on the screen.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// The songs.
    public var songs: [Song] = []
    /// The place of the song that plays.
    public var playing: Int?
    /// How loud it plays, in percent.
    public var volume = 50
    /// The bars that show it.
    public var bars = 5
    /// How many stars the songs have on average.
    public var average = 0
    /// The songs that were removed, for the button that brings the last one back.
    public var removed: [Song] = []
    /// The words of a song, on a sheet.
    @Presents public var lyrics: Lyrics.State?

    /// An empty list.
    public init() {}
  }

  /// A song.
  @LogValue
  public struct Song: Equatable, Sendable, Identifiable {
    /// Tells it from others.
    public var id: Int
    /// How many stars it has.
    public var stars = 0
    /// Whether it can be played without a network.
    public var isDownloaded = false
  }

  /// What can happen.
  public enum Action: Equatable, Sendable {
    /// A song is added at the end.
    case added(Int)
    /// A song is removed.
    case removed(Int)
    /// The last one that was removed comes back.
    case undoButtonTapped
    /// A song is played.
    case played(Int)
    /// The next song is played.
    case nextButtonTapped
    /// A song gets a star.
    case starred(Int)
    /// The average is shown.
    case averageButtonTapped
    /// The volume is changed by some percent.
    case volumeChanged(by: Int)
    /// A song is fetched from the network.
    case downloadButtonTapped(Int)
    /// It is there.
    case downloaded(Int)
    /// The words of a song are shown.
    case lyricsButtonTapped(Int)
    /// The sheet with them is closed.
    case closeButtonTapped
    /// What happens on the sheet.
    case lyrics(PresentationAction<Lyrics.Action>)
  }

  @Dependency(\.continuousClock) private var clock

  /// A list of songs.
  public init() {}

  /// What the list does.
  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .added(let id):
        guard !state.songs.contains(where: { $0.id == id }) else { return .none }
        state.songs.append(Song(id: id))
      case .removed(let id):
        guard let index = state.songs.firstIndex(where: { $0.id == id }) else { return .none }
        state.removed.append(state.songs.remove(at: index))
        // Wrong: when a song before the one that plays goes, the place is that of the next one, and none at the end.
        if state.playing == index { state.playing = nil }
      case .undoButtonTapped:
        guard let song = state.removed.popLast() else { return .none }
        // Wrong: it may have been added again meanwhile.
        if state.songs.contains(where: { $0.id == song.id }) {
          reportIssue("the list has song \(song.id) twice")
        }
        state.songs.append(song)
      case .played(let id):
        state.playing = state.songs.firstIndex { $0.id == id }
      case .nextButtonTapped:
        guard let playing = state.playing else { return .none }
        let song = state.songs[playing]
        let next = state.songs.firstIndex { $0.id == song.id }.map { $0 + 1 } ?? 0
        state.playing = next < state.songs.count ? next : nil
      case .starred(let id):
        guard let index = state.songs.firstIndex(where: { $0.id == id }) else { return .none }
        state.songs[index].stars += 1
      case .averageButtonTapped:
        // Wrong: there may be songs, and all of them fetched from elsewhere.
        let own = state.songs.filter { !$0.isDownloaded }
        guard !state.songs.isEmpty else { return .none }
        state.average = state.songs.reduce(0) { $0 + $1.stars } / own.count
      case .volumeChanged(let percent):
        state.volume = min(100, state.volume + percent)
        // Wrong: nothing keeps it from falling below zero.
        state.bars = Int(UInt8(state.volume / 10))
      case .downloadButtonTapped(let id):
        return .run(name: "download", input: id) { send in
          try await clock.sleep(for: .milliseconds(20))
          await send(.downloaded(id))
        }
      case .downloaded(let id):
        // Wrong: the song may be gone by now.
        let index = state.songs.firstIndex { $0.id == id } ?? -1
        state.songs[index].isDownloaded = true
      case .lyricsButtonTapped(let id):
        state.lyrics = Lyrics.State(song: id)
        // Wrong: it is the list's effect, and not the sheet's, so that it outlives the sheet.
        return .run(name: "lyrics", input: id) { send in
          try await clock.sleep(for: .milliseconds(10))
          await send(.lyrics(.presented(.loaded("la la"))))
        }
      case .closeButtonTapped:
        state.lyrics = nil
      case .lyrics:
        break
      }
      return .none
    }
    .ifLet(\.$lyrics, action: \.lyrics) {
      Lyrics()
    }
  }
}

/// The words of a song.
@Reducer
public struct Lyrics: Sendable {
  /// What is on the sheet.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// The song.
    public var song: Int
    /// Its words, once they are loaded.
    public var text: String?
  }

  /// What can happen.
  public enum Action: Equatable, Sendable {
    /// The words are there.
    case loaded(String)
  }

  /// The words of a song.
  public init() {}

  /// What the sheet does.
  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .loaded(let text):
        state.text = text
        return .none
      }
    }
  }
}
