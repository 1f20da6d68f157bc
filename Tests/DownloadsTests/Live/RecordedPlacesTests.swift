import HLSPlaylist
import Testing

@testable import Downloads
@testable import LivePlaylists
@testable import StoreCatalog
@testable import StoreModel

@Suite("The places of recorded segments")
struct RecordedPlacesTests {
    private func section(_ number: Int) -> InitializationSection {
        InitializationSection(uri: "http://o/i\(number).mp4")
    }

    @Test("an initialization section has the number of its first place, and becomes a unit once")
    func sections() {
        var sections = RecordedSections([section(0), section(1)], units: [0])
        #expect(sections.take(section(0), isNeeded: true) == nil)
        #expect(sections.take(section(1), isNeeded: true) == 1)
        #expect(sections.take(section(2), isNeeded: false) == nil)
        #expect(sections.take(section(3), isNeeded: true) == 3)
        #expect(sections.take(section(2), isNeeded: true) == 2)
        #expect(sections.take(section(2), isNeeded: true) == nil)
        #expect(sections.take(InitializationSection(uri: "http://o/i0.mp4"), isNeeded: true) == nil)
    }

    @Test(
        "as many sections as a hostile playlist may list cost no more than as many lines",
        .timeLimit(.minutes(1)))
    func manySections() {
        var sections = RecordedSections([], units: [])
        let taken = (0..<150_000).compactMap { sections.take(section($0), isNeeded: true) }
        #expect(taken == Array(0..<150_000))
    }

    private func unit(
        _ kind: UnitKind, _ number: Int, _ url: String, _ range: ClosedOffsetRange? = nil
    ) -> UnitRecord {
        UnitRecord(kind: kind, number: number, start: 0, duration: 1, url: url, range: range)
    }

    @Test("segments are found by number and range, sections by name and range; the first of several counts")
    func addresses() {
        let range = ClosedOffsetRange(offset: 10, length: 20)
        let addresses = FreshAddresses(
            [
                unit(.initialization, 0, "http://new/a/i.mp4?t=2"),
                unit(.initialization, 1, "http://new/b/i.mp4"),
                unit(.initialization, 2, "http://new/i.mp4", range), unit(.segment, 7, "http://new/s7"),
                unit(.segment, 7, "http://new/s7-again"), unit(.segment, 8, "http://new/all", range),
            ], numbersAhead: 100)
        #expect(
            addresses.url(of: unit(.initialization, 5, "http://old/i.mp4?t=1")) == "http://new/a/i.mp4?t=2")
        #expect(addresses.url(of: unit(.initialization, 0, "http://old/i.mp4", range)) == "http://new/i.mp4")
        #expect(addresses.url(of: unit(.initialization, 0, "http://old/other.mp4")) == nil)
        #expect(addresses.url(of: unit(.segment, 107, "http://old/x")) == "http://new/s7")
        #expect(addresses.url(of: unit(.segment, 108, "http://old/all", range)) == "http://new/all")
        #expect(addresses.url(of: unit(.segment, 108, "http://old/all")) == nil)
        #expect(addresses.url(of: unit(.segment, 7, "http://old/s7")) == nil)
    }

    @Test("numbers that can't be added up find nothing, and end nothing")
    func farNumbers() {
        let addresses = FreshAddresses([unit(.segment, 7, "http://new/s7")], numbersAhead: .max)
        #expect(addresses.url(of: unit(.segment, 7, "http://old/s7")) == nil)
    }
}
