package import Foundation
package import TCACore

/// The app's permission to use the microphone.
@LogValue
package enum MicrophonePermission: Equatable, Sendable {
  case undetermined, granted, denied
}

/// The client for system permissions.
@DependencyClient
package struct PermissionClient: Sendable {
  package var microphone: @Sendable () -> MicrophonePermission = { .denied }
  /// Asks the user for permission and returns whether it is granted.
  package var requestMicrophone: @Sendable () async -> Bool = { false }
  package var openSettings: @Sendable () async -> Void
}

/// The reasons for which audio is unavailable.
@LogValue
package enum AudioError: Error, Equatable {
  case noFile
  case noMicrophone
  case noRoom
}

/// The client that records audio to files.
@DependencyClient
package struct AudioRecorder: Sendable {
  package var start: @Sendable (_ memo: UUID) async throws -> Void
  package var pause: @Sendable () async -> Void
  package var resume: @Sendable () async -> Void
  /// Ends the recording and returns its size in bytes.
  package var stop: @Sendable () async throws -> Int
  package var delete: @Sendable (_ memo: UUID) async throws -> Void
  /// Returns the audio level in percent.
  package var levels: @Sendable () -> AsyncStream<Int> = { .finished }
  /// Returns interruptions by phone calls: `true` when a call begins, `false` when it ends.
  package var interruptions: @Sendable () -> AsyncStream<Bool> = { .finished }
}

/// The client that plays audio files.
@DependencyClient
package struct AudioPlayer: Sendable {
  /// Plays a memo from a second, and returns at the end of the file.
  package var play: @Sendable (_ memo: UUID, _ second: Int, _ rate: Double) async throws -> Void
}

extension PermissionClient: DependencyKey {
  package static let testValue = PermissionClient()

  /// A user who grants permission when asked.
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

  /// A microphone in a quiet room, which stores no files.
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

  /// A player for which all files are three seconds long.
  package static let liveValue = AudioPlayer(play: { _, second, rate in
    @Dependency(\.continuousClock) var clock
    guard second < 3 else { throw AudioError.noFile }
    try await clock.sleep(for: .seconds(Double(3 - second) / rate))
  })
}

extension Array where Element: Sendable {
  /// A stream of the elements, which ends after the last one.
  fileprivate var async: AsyncStream<Element> {
    AsyncStream { continuation in
      for element in self { continuation.yield(element) }
      continuation.finish()
    }
  }
}

extension DependencyValues {
  /// The client for system permissions.
  package var permissions: PermissionClient {
    get { self[PermissionClient.self] }
    set { self[PermissionClient.self] = newValue }
  }

  /// The client that records audio.
  package var audioRecorder: AudioRecorder {
    get { self[AudioRecorder.self] }
    set { self[AudioRecorder.self] = newValue }
  }

  /// The client that plays audio.
  package var audioPlayer: AudioPlayer {
    get { self[AudioPlayer.self] }
    set { self[AudioPlayer.self] = newValue }
  }
}
