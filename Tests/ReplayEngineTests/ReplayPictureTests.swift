import Foundation
import ReplayEngine
import Testing

/// The valid pictures, and the messages of a host about invalid ones.
@Suite struct ReplayPictureTests {
  private static let png = Data(
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 0, 120, 0, 0, 0, 60]
  )

  private static func picture(_ svg: String) -> ReplayPicture {
    .svg(svg, width: 120, height: 60)
  }

  @Test(
    arguments: [
      (picture("<svg/>"), nil),
      (picture("\u{FEFF}<?xml version='1.0' encoding='UTF-8'?>\n<svg/>"), nil),
      (picture("<x:svg xmlns:x='http://www.w3.org/2000/svg'/>"), nil),
      (.png(png, width: 120, height: 60), nil),
      (picture(""), .invalid(.notSVG)),
      (picture("text <svg/>"), .invalid(.notSVG)),
      (picture("<html/>"), .invalid(.notSVG)),
      (picture("<!DOCTYPE svg [<!ENTITY a 'b'>]><svg>&a;</svg>"), .invalid(.entities)),
      (picture("<?xml version='1.0' encoding='UTF-16'?><svg/>"), .invalid(.entities)),
      (picture("<svg>\0</svg>"), .invalid(.entities)),
      (picture("<svg>" + String(repeating: "x", count: 99)), .tooLarge(bytes: 104, limit: 100)),
      (.svg("<svg/>", width: 0, height: 60), .invalid(.size)),
      (.svg("<svg/>", width: .nan, height: 60), .invalid(.size)),
      (.svg("<svg/>", width: 1, height: 1e9), .invalid(.size)),
      (.png(Data("GIF89a".utf8), width: 1, height: 1), .invalid(.notPNG)),
      (
        .png(png.prefix(16) + [0, 1, 0, 0, 0, 1, 0, 0], width: 1, height: 1), .invalid(.pixels)
      ),
      (
        .svg("<svg/>", width: 1, height: 1, description: String(repeating: "x", count: 20_001)),
        .invalid(.description)
      ),
    ] as [(ReplayPicture, MissingPictureReason?)]
  )
  func `a picture that could do harm, or cannot be shown, is a note`(
    _ picture: ReplayPicture,
    _ note: MissingPictureReason?
  ) {
    #expect(picture.problem(limit: 100) == note)
  }

  @Test(
    arguments: [
      ("<svg width='12' height=\"7.5\"/>", 12, 7.5),
      ("<svg width='12px' height='7px' viewBox='0 0 1 1'/>", 12, 7),
      ("<svg viewBox='0 0 30 40'/>", 30, 40), ("<svg viewBox='0,0,30,40'/>", 30, 40),
      ("<svg width='100%' height='100%' viewBox='0 0 30 40'/>", 30, 40),
      ("<svg stroke-width='3'/>", 0, 0), ("<svg", 0, 0),
    ] as [(String, Double, Double)]
  )
  func `an SVG picture reads its size from its file`(
    _ text: String,
    _ width: Double,
    _ height: Double
  ) {
    let picture = ReplayPicture(.svg, file: Data(text.utf8))
    #expect(picture.width == width)
    #expect(picture.height == height)
  }

  @Test func `a PNG picture reads its size from its file`() {
    let picture = ReplayPicture(.png, file: Self.png)
    #expect(picture.width == 120)
    #expect(picture.height == 60)
  }

  @Test(
    arguments: [
      .picture(.svg("<svg/>", width: 1.5, height: 2, description: "\u{1F600}")),
      .picture(.png(png, width: 1, height: 2)), .note(.failed("no paint")),
      .note(.undecodable("no such member")), .note(.timedOut(2)),
      .note(.tooLarge(bytes: 3, limit: 2)), .note(.trapped("SIGILL")), .note(.exited(7)),
      .note(.invalid(.entities)), .note(.tooMany(limit: 4)), .note(.noState),
    ] as [PictureOutcome]
  )
  func `PictureOutcome reads back from its JSON`(_ outcome: PictureOutcome) {
    #expect(PictureOutcome(json: outcome.json) == outcome)
  }
}
