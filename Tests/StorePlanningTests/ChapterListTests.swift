import Testing

@testable import StoreModel
@testable import StorePlanning

/// Chapters of a part of a stream.
struct ChapterListTests {
    private func part(_ list: String, from start: Double, length: Double? = nil) -> String? {
        ChapterList.part(of: Array(list.utf8), from: start, length: length).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private static let two =
        #"[{"start-time":0,"duration":5,"titles":[{"title":"One"}]},{"start-time":5,"duration":7}]"#

    @Test("begin in the part, keep their titles, and end with the part")
    func moved() {
        #expect(
            part(Self.two, from: 4, length: 6)
                == #"[{"duration":1,"start-time":0,"titles":[{"title":"One"}]},{"duration":5,"start-time":1}]"#
        )
    }

    @Test("are left out where they end before the part begins, or begin when it has ended")
    func leftOut() {
        #expect(part(Self.two, from: 5) == #"[{"duration":7,"start-time":0}]"#)
        #expect(part(Self.two, from: 0, length: 5)?.contains("7") == false)
        #expect(part(Self.two, from: 12) == "[]")
    }

    @Test("without a duration last until the next one")
    func open() {
        #expect(
            part(#"[{"start-time":6},{"start-time":2},{"titles":[]}]"#, from: 4)
                == #"[{"start-time":0},{"start-time":2}]"#)
    }

    @Test("do not exist in a text that is not a list of chapters")
    func other() {
        #expect(part("{}", from: 1) == nil)
        #expect(part("[1]", from: 1) == nil)
    }

    @Test("do not begin before the stream")
    func negative() {
        #expect(part(#"[{"start-time":-3},{"start-time":2}]"#, from: 0) == #"[{"start-time":2}]"#)
    }
}
