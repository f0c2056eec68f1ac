public import TCACore

/// A playlist with deliberate bugs that only unusual orders of actions reveal,
/// as a test case for `fuzz` and `explore`.
@Reducer
public struct Playlist: Sendable {
  /// The state of the playlist.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// The songs in playing order.
    public var songs: [Song] = []
    /// The index of the current song.
    public var playing: Int?
    /// The volume in percent.
    public var volume = 50
    /// The number of bars that display the volume.
    public var bars = 5
    /// The average number of stars per song.
    public var average = 0
    /// The removed songs, for the undo button.
    public var removed: [Song] = []
    /// The sheet with the lyrics of a song.
    @Presents public var lyrics: Lyrics.State?

    /// Creates an empty playlist.
    public init() {}
  }

  /// A song in the playlist.
  @LogValue
  public struct Song: Equatable, Sendable, Identifiable {
    /// The identity of the song.
    public var id: Int
    /// The number of stars.
    public var stars = 0
    /// Whether the song can be played offline.
    public var isDownloaded = false
  }

  /// The actions of the playlist.
  public enum Action: Equatable, Sendable {
    /// The user appended a song.
    case added(Int)
    /// The user removed a song.
    case removed(Int)
    /// The user restored the song that was removed last.
    case undoButtonTapped
    /// The user played a song.
    case played(Int)
    /// The user skipped to the next song.
    case nextButtonTapped
    /// The user gave a song a star.
    case starred(Int)
    /// The user asked for the average.
    case averageButtonTapped
    /// The user changed the volume by a percentage.
    case volumeChanged(by: Int)
    /// The user started a download.
    case downloadButtonTapped(Int)
    /// The download has finished.
    case downloaded(Int)
    /// The user opened the lyrics of a song.
    case lyricsButtonTapped(Int)
    /// The user closed the lyrics.
    case closeButtonTapped
    /// An action of the lyrics sheet.
    case lyrics(PresentationAction<Lyrics.Action>)
  }

  @Dependency(\.continuousClock) private var clock

  /// Creates the feature.
  public init() {}

  /// The reducer of the playlist.
  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .added(let id):
        guard !state.songs.contains(where: { $0.id == id }) else { return .none }
        state.songs.append(Song(id: id))
      case .removed(let id):
        guard let index = state.songs.firstIndex(where: { $0.id == id }) else { return .none }
        state.removed.append(state.songs.remove(at: index))
        // Bug: if an earlier song is removed, `playing` refers to the next song or past the end.
        if state.playing == index { state.playing = nil }
      case .undoButtonTapped:
        guard let song = state.removed.popLast() else { return .none }
        // Bug: the song may have been added again in the meantime.
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
        // Bug: all songs may be downloaded, which leads to a division by zero.
        let own = state.songs.filter { !$0.isDownloaded }
        guard !state.songs.isEmpty else { return .none }
        state.average = state.songs.reduce(0) { $0 + $1.stars } / own.count
      case .volumeChanged(let percent):
        state.volume = min(100, state.volume + percent)
        // Bug: the volume can be negative, which traps in the conversion.
        state.bars = Int(UInt8(state.volume / 10))
      case .downloadButtonTapped(let id):
        return .run(name: "download", input: id) { send in
          try await clock.sleep(for: .milliseconds(20))
          await send(.downloaded(id))
        }
      case .downloaded(let id):
        // Bug: the song may have been removed during the download.
        let index = state.songs.firstIndex { $0.id == id } ?? -1
        state.songs[index].isDownloaded = true
      case .lyricsButtonTapped(let id):
        state.lyrics = Lyrics.State(song: id)
        // Bug: the effect belongs to the playlist, so it continues after the sheet is closed.
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

/// The lyrics of a song.
@Reducer
public struct Lyrics: Sendable {
  /// The state of the sheet.
  @ObservableState
  public struct State: Equatable, Sendable {
    /// The id of the song.
    public var song: Int
    /// The lyrics; `nil` until they are loaded.
    public var text: String?
  }

  /// The actions of the sheet.
  public enum Action: Equatable, Sendable {
    /// The lyrics have been loaded.
    case loaded(String)
  }

  /// Creates the feature.
  public init() {}

  /// The reducer of the sheet.
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
