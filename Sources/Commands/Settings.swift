import ActionLog
import Foundation
import ReplayEngine

/// The settings of a project: `.tca-replay.json` in the working folder.
///
/// ```json
/// {"host": ".build/debug/app-replay", "ignore": ["clock"], "timeout": 120}
/// ```
package struct Settings: Sendable, Equatable {
  /// The executable that has the features, relative to the file.
  package var host: String?
  /// The parts of the state that are not compared.
  package var ignored: [ValuePath] = []
  /// Seconds that a host may take for one log.
  package var timeout: Double?

  package static let name = ".tca-replay.json"
}

extension Settings {
  /// Reads the file of a folder; without one there are no settings.
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
      // The system reads a path up to its first NUL, which would be another path.
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
