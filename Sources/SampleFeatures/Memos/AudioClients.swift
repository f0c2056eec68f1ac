package import Foundation
package import TCACore

/// Whether the app may listen.
@LogValue
package enum MicrophonePermission: Equatable, Sendable {
  case undetermined, granted, denied
}

/// What the system lets the app do.
@DependencyClient
package struct PermissionClient: Sendable {
  package var microphone: @Sendable () -> MicrophonePermission = { .denied }
  /// Asks the user, and says whether the app may listen now.
  package var requestMicrophone: @Sendable () async -> Bool = { false }
  package var openSettings: @Sendable () async -> Void
}

/// Why there is no sound.
@LogValue
package enum AudioError: Error, Equatable {
  case noFile
  case noMicrophone
  case noRoom
}

/// What records sound into files.
@DependencyClient
package struct AudioRecorder: Sendable {
  package var start: @Sendable (_ memo: UUID) async throws -> Void
  package var pause: @Sendable () async -> Void
  package var resume: @Sendable () async -> Void
  /// Ends the recording, and says how many bytes it has.
  package var stop: @Sendable () async throws -> Int
  package var delete: @Sendable (_ memo: UUID) async throws -> Void
  /// How loud it is, in percent.
  package var levels: @Sendable () -> AsyncStream<Int> = { .finished }
  /// Telephone calls: true when one comes in, false when it ends.
  package var interruptions: @Sendable () -> AsyncStream<Bool> = { .finished }
}

/// What plays files.
@DependencyClient
package struct AudioPlayer: Sendable {
  /// Plays from a second on, and returns when the end of the file is reached.
  package var play: @Sendable (_ memo: UUID, _ second: Int, _ rate: Double) async throws -> Void
}

extension PermissionClient: DependencyKey {
  package static let testValue = PermissionClient()

  /// A user who lets the app listen when asked.
  package static let liveValue = PermissionClient(
    microphone: { .undetermined },
    requestMicrophone: {
      @Dependency(\.continuousClock) var clock
      try? await clock.sleep(for: .milliseconds(20))
      return true
    },
    openSettings: {}
  )
}

extension AudioRecorder: DependencyKey {
  package static let testValue = AudioRecorder()

  /// A microphone in a quiet room, which keeps no files.
  package static let liveValue = AudioRecorder(
    start: { _ in },
    pause: {},
    resume: {},
    stop: { 16_000 },
    delete: { _ in },
    levels: { [20, 35, 30].async },
    interruptions: { .finished }
  )
}

extension AudioPlayer: DependencyKey {
  package static let testValue = AudioPlayer()

  /// A player for whom all files have three seconds.
  package static let liveValue = AudioPlayer(play: { _, second, rate in
    @Dependency(\.continuousClock) var clock
    guard second < 3 else { throw AudioError.noFile }
    try await clock.sleep(for: .seconds(Double(3 - second) / rate))
  })
}

extension Array where Element: Sendable {
  /// The elements as a stream that ends after the last one.
  fileprivate var async: AsyncStream<Element> {
    AsyncStream { continuation in
      for element in self { continuation.yield(element) }
      continuation.finish()
    }
  }
}

extension DependencyValues {
  /// What the system lets the app do.
  package var permissions: PermissionClient {
    get { self[PermissionClient.self] }
    set { self[PermissionClient.self] = newValue }
  }

  /// What records sound.
  package var audioRecorder: AudioRecorder {
    get { self[AudioRecorder.self] }
    set { self[AudioRecorder.self] = newValue }
  }

  /// What plays sound.
  package var audioPlayer: AudioPlayer {
    get { self[AudioPlayer.self] }
    set { self[AudioPlayer.self] = newValue }
  }
}
