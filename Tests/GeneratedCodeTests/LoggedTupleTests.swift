import TCACore
import Testing

@ObservableState
private struct Ruler {
  var range: (lower: Int, upper: Int) = (0, 10)
  var unit: (String, Double) = ("cm", 0.01)
}

@LogValue
private struct Corner {
  let point: (x: Int, y: Int)
  var name = ""
}

@Suite("Logged tuples")
struct LoggedTupleTests {
  @Test("A stored property of tuple type is logged as an object of its elements")
  func encodes() throws {
    var ruler = Ruler()
    ruler.range.upper = 20
    let json = JSON(logging: ruler)
    #expect(json == ["range": ["lower": 0, "upper": 20], "unit": ["_0": "cm", "_1": 0.01]])
    let read = try LogDecoder(json).value(Ruler.self)
    #expect(read.range == (0, 20) && read.unit == ("cm", 0.01))
    #expect(try LogDecoder(JSON(logging: Corner(point: (1, 2)))).value(Corner.self).point.y == 2)
  }

  @Test("a tuple that the log lacks comes from the template")
  func missing() throws {
    let template = Ruler(range: (3, 4))
    let read = try LogDecoder(["unit": ["_0": "m", "_1": 1]] as JSON).value(
      Ruler.self,
      over: template
    )
    #expect(read.range == (3, 4) && read.unit == ("m", 1))
    #expect(throws: LogDecodingError.self) { try LogDecoder([:] as JSON).value(Ruler.self) }
  }

  @Test("A changed element of a tuple is one operation of the patch")
  func differs() throws {
    var ruler = Ruler()
    ruler.range.upper = 20
    var builder = PatchBuilder()
    Ruler.difference(from: Ruler(), to: ruler, into: &builder)
    #expect(builder.patch.operations.count == 1)
  }
}
