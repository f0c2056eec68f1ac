import ActionLog
import Foundation
import ReplayEngine

/// The settings of a project, which the file `.tca-replay.json` in the working folder contains.
///
/// ```json
/// {"host": ".build/debug/app-replay", "ignore": ["clock"], "timeout": 120}
/// ```
package struct Settings: Sendable, Equatable {
  /// The path of the host's executable, relative to the settings file, or `nil` if the file does not set it.
  package var host: String?
  /// The paths in the state that are not compared.
  package var ignored: [ValuePath] = []
  /// The time limit for replaying one log, in seconds, or `nil` if the file does not set it.
  package var timeout: Double?

  package static let name = ".tca-replay.json"
}

extension Settings {
  /// Reads the settings file in a folder.
  ///
  /// If there is no file, the settings are empty.
  package init(folder: String) throws(CommandError) {
    let path = folder + "/" + Self.name
    guard FileManager.default.fileExists(atPath: path) else { return }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .badSettings(problem: Wording.unreadableSettings)
    }
    let json: JSON
    do throws(JSON.ParseError) { json = try JSON(parsing: data) } catch {
      throw .badSettings(problem: error.description)
    }
    guard let object = json.object else {
      throw .badSettings(problem: Wording.expected("a JSON object", found: json))
    }
    for (name, value) in object {
      do throws(SettingError) { try apply(name, value, folder) } catch {
        throw .badSettings(problem: error.text)
      }
    }
  }

  private struct SettingError: Error {
    let text: String
  }

  private mutating func apply(_ name: String, _ value: JSON, _ folder: String) throws(SettingError)
  {
    func problem(_ expected: String) -> SettingError {
      SettingError(text: "'\(name)': " + Wording.expected(expected, found: value))
    }
    switch name {
    case "host":
      // The system would truncate a path at its first NUL byte.
      guard let path = value.string, !path.isEmpty, !path.utf8.contains(0) else {
        throw problem("the path of a host")
      }
      host = path.hasPrefix("/") ? path : "\(folder)/\(path)"
    case "ignore":
      guard let texts = value.array else { throw problem(Wording.arrayOfPlaces) }
      for text in texts {
        guard let place = text.string.flatMap({ try? ValuePath(parsing: $0) }),
          place.patterns != nil
        else { throw problem(Wording.arrayOfPlaces) }
        ignored.append(place)
      }
    case "timeout":
      guard let seconds = value.number?.double, seconds > 0, seconds.isFinite else {
        throw problem("a time in seconds")
      }
      timeout = seconds
    default:
      throw SettingError(text: Wording.unknownSetting(name, known: ["host", "ignore", "timeout"]))
    }
  }
}
