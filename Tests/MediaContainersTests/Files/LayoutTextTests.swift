import Testing

@testable import MediaContainers

/// A sample of timed text: its length and its characters.
private func sample(_ text: String) -> [UInt8] {
    let count = text.utf8.count
    return [UInt8(count >> 8), UInt8(count & 0xFF)] + Array(text.utf8)
}

@Suite("Samples of timed text")
struct LayoutTextTests {
    private func line(_ start: Double, _ end: Double, _ text: String) -> TimedText.Line {
        TimedText.Line(start: start, end: end, text: text)
    }

    @Test("are one for each moment from which other lines are seen, and an empty one behind the last")
    func moments() {
        let made = TimedText.samples([line(1, 3, "A"), line(2, 4, "B"), line(4, 6, "C"), line(5, 5, "D")])
        #expect(made.each == ["", "A", "A\nB", "B", "C", ""].map(sample))
        #expect(made.samples.map(\.decodeTime) == [0, 1000, 2000, 3000, 4000, 6000])
        #expect(made.samples.map(\.duration) == [1000, 1000, 1000, 1000, 2000, 1])
        #expect(made.timescale == 1000 && made.samples.allSatisfy(\.isSync))
    }

    @Test("begin with the file, whenever their lines begin")
    func beginning() {
        let early = TimedText.samples([line(-1, 1, "A"), line(-2, -1, "B"), line(-2, 0, "C")])
        #expect(early.each == ["A", ""].map(sample))
        #expect(early.samples.map(\.decodeTime) == [0, 1000])
        let none = TimedText.samples([])
        #expect(none.each == [sample("")] && none.samples.map(\.duration) == [1])
    }

    @Test("have whole characters of 4000 bytes at most")
    func longest() {
        func made(_ text: String) -> [UInt8]? { TimedText.samples([line(0, 1, text)]).each.first }
        let most = String(repeating: "x", count: 4000)
        #expect(made(most) == sample(most) && made(most + "x") == sample(most))
        let less = String(most.dropLast())
        #expect(made(less + "é") == sample(less))
    }
}

@Suite("Text in a file")
struct LayoutTextTrackTests {
    /// A file of pictures and sound with text that is added.
    private static func film(_ add: (inout MovieLayoutBuilder) -> Void) throws -> MovieLayout {
        let sources = [MadeMedia.pictures(), MadeMedia.sound()]
        let tracks = sources.enumerated().map { OutputTrack(number: UInt32($0 + 1), of: $1) }
        var builder = MovieLayoutBuilder(tracks: tracks)
        for (number, source) in MadeMedia.index(sources).tracks.enumerated() {
            try builder.add(source, to: number, segment: 0, shift: 0)
        }
        add(&builder)
        return try builder.layout()
    }

    /// The samples of a track that were made for the file.
    private static func made(_ layout: MovieLayout, _ track: Int) -> [[UInt8]] {
        layout.chunks.filter { $0.track == track && $0.segment == nil }
            .map { Array(layout.made($0.sourceOffset..<$0.sourceOffset + $0.length)) }
    }

    private static let lines = [TimedText.Line(start: 1, end: 3, text: "A")]

    @Test("has subtitles as a track that players show only when they are asked")
    func subtitles() throws {
        let layout = try Self.film { $0.addSubtitles(Self.lines, language: "deu", name: "Deutsch") }
        #expect(Self.made(layout, 2) == ["", "A", ""].map(sample))
        let tables = ReadTables(bytes: layout.head)
        #expect(tables.times(of: 2) == [0, 1000, 3000])
        // It is presented from the beginning to the end of the last sample, in ticks of the movie.
        #expect(tables.edits(of: 2) == [[270_090, 0]])
        let headers = tables.boxes(["moov", "trak", "tkhd"])
        #expect(headers.map { tables.number($0.lowerBound, 4) } == [3, 3, 2])
        let read = try #require(try MovieTrack.all(in: layout.head).last)
        #expect(read.number == 3 && read.kind == .text && read.timescale == 1000)
        #expect(read.language == "deu" && read.name == "Deutsch")
    }

    @Test("has subtitles that are shown at once, or to all viewers, where that is wanted")
    func forced() throws {
        let layout = try Self.film { builder in
            builder.addSubtitles(Self.lines, language: nil, name: nil, isEnabled: true)
            builder.addSubtitles(Self.lines, language: nil, name: nil, isForced: true)
        }
        #expect(layout.tracks.map(\.number) == [1, 2, 3, 4])
        #expect(layout.tracks.map(\.isEnabled) == [true, true, true, false])
        #expect(layout.tracks.map(\.alternateGroup) == [0, 0, 2, 2])
        // The flags of display stand behind the header of the entry and eight bytes that all entries have.
        let flags = layout.tracks.suffix(2).map { Array($0.descriptions[0].entry[16..<20]) }
        #expect(flags == [[0, 0, 0, 0], [0xC0, 0, 0, 0]])
    }

    @Test("has chapters as a track to which those of pictures and sound refer, up to the end of the file")
    func chapters() throws {
        let layout = try Self.film { builder in
            builder.addSubtitles(Self.lines, language: nil, name: nil)
            builder.addChapters([.init(start: 0, title: "One"), .init(start: 2, title: "Two")], end: 5)
        }
        #expect(Self.made(layout, 3) == ["One", "Two"].map(sample))
        let tables = ReadTables(bytes: layout.head)
        #expect(tables.times(of: 3) == [0, 2000] && tables.edits(of: 3) == [[450_000, 0]])
        let references = tables.boxes(["moov", "trak"]).map { track in
            tables.boxes(["tref", "chap"], in: track).map { tables.number($0.lowerBound, 4) }
        }
        #expect(references == [[4], [4], [], []])
        #expect(layout.tracks.last?.isEnabled == false && layout.tracks.last?.alternateGroup == 0)
    }

    @Test("has a last chapter of a second at least, and no track without a chapter")
    func lateChapter() throws {
        let late = try Self.film { $0.addChapters([.init(start: 2, title: "Two")], end: 2.5) }
        #expect(Self.made(late, 2) == ["", "Two"].map(sample))
        #expect(ReadTables(bytes: late.head).edits(of: 2) == [[270_000, 0]])
        let none = try Self.film { $0.addChapters([], end: 2.5) }
        #expect(none.tracks.count == 2)
    }
}
