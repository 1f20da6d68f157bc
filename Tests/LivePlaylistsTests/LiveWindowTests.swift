import HLSPlaylist
import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import LivePlaylists
@testable import StoreModel

/// The new segments of a playlist that is loaded again.
struct LiveWindowTests {
    private let base = URIReference("http://o/live/index.m3u8")

    private func window(_ text: String, at index: Int = 0) throws -> LiveWindow {
        LiveWindow(try Playlists.parsedMedia(text), base: base, at: index)
    }

    private func names(_ growth: LiveGrowth) -> [String] {
        growth.entries.map { $0.isGap ? "gap" : String($0.uri.split(separator: "/").last ?? "") }
    }

    /// Takes pages one after the other; returns the names of the segments that each has added.
    private func grown(_ pages: [String]) throws -> (window: LiveWindow, growths: [LiveGrowth]) {
        var window = try window(pages[0])
        let growths = try pages.map { try window.take(Playlists.parsedMedia($0), base: base) }
        return (window, growths)
    }

    @Test("new segments are added once, under the origin's numbers")
    func following() throws {
        let (window, growths) = try grown([
            LiveShow.page(5..<8), LiveShow.page(5..<8), LiveShow.page(7..<10),
            LiveShow.page(8..<10, isEnd: true),
        ])
        #expect(growths.map(names) == [["s5.ts", "s6.ts", "s7.ts"], [], ["s8.ts", "s9.ts"], []])
        #expect(window.next == 10)
        #expect(growths.map(\.hasEnded) == [false, false, false, true])
    }

    @Test("a segment whose address would not fit in a line any more is a gap", arguments: [0, 1])
    func longAddress(_ excess: Int) throws {
        let limit = ParseLimits().lineLength - 128
        let name = String(repeating: "a", count: limit - "http://o/live/".count + excess)
        let (_, growths) = try grown([LiveShow.page(0..<2).replacing("s1.ts", with: name)])
        #expect(growths[0].entries.map(\.isGap) == [false, excess > 0])
    }

    @Test("addresses that are signed anew each time are those of the same segments")
    func signed() throws {
        let (_, growths) = try grown([
            LiveShow.page(0..<3).replacing(".ts", with: ".ts?token=1"),
            LiveShow.page(1..<4).replacing(".ts", with: ".ts?token=2"),
        ])
        #expect(growths[1].entries.map(\.uri) == ["http://o/live/s3.ts?token=2"])
    }

    @Test("segments that came and went between two loads are a gap of as many numbers")
    func loss() throws {
        let (window, growths) = try grown([LiveShow.page(0..<3), LiveShow.page(5..<7)])
        #expect(names(growths[1]) == ["gap", "gap", "s5.ts", "s6.ts"])
        #expect(growths[1].gap == RecordedGap(number: 3, count: 2, reason: .window))
        #expect(growths[1].entries.allSatisfy { !$0.isDiscontinuity })
        #expect(window.next == 7)
    }

    @Test("the length of a gap is that between the dates around it")
    func datedLoss() throws {
        let first = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n"
        let later = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T01:00:06+01:00\n"
        let pages = [LiveShow.page(0..<3, tags: [0: first]), LiveShow.page(5..<7, tags: [5: later])]
        let (_, growths) = try grown(
            pages.map { $0.replacing("TARGETDURATION:1", with: "TARGETDURATION:2") })
        #expect(growths[1].entries.map(\.duration) == [1.5, 1.5, 1, 1])
        // No segment was longer than the target duration.
        let (_, short) = try grown(pages)
        #expect(short[1].entries.map(\.duration) == [1, 1, 1, 1])
        #expect(short[1].entries[2].programDateTime == "2026-01-01T01:00:06+01:00")
    }

    @Test("discontinuities in a gap are counted, so that the numbers of those after it stay the origin's")
    func hiddenDiscontinuities() throws {
        let (_, growths) = try grown([
            LiveShow.page(0..<3), LiveShow.page(5..<7, header: "#EXT-X-DISCONTINUITY-SEQUENCE:2\n"),
        ])
        #expect(growths[1].entries.map(\.isDiscontinuity) == [true, true, false, false])
    }

    @Test("a list of a cache that is late adds nothing, and does not end anything")
    func late() throws {
        let (window, growths) = try grown([
            LiveShow.page(4..<8), LiveShow.page(2..<6, isEnd: true), LiveShow.page(1..<3),
            LiveShow.page(6..<9),
        ])
        #expect(growths.map(names)[1...] == [[], [], ["s8.ts"]])
        #expect(!growths[1].hasEnded && window.shift == 0)
    }

    @Test("an encoder that begins anew continues under the next numbers, after a discontinuity")
    func restart() throws {
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
        let anew = LiveShow.page(0..<2, tags: [0: key]).replacing("\ns", with: "\nnew")
        let (window, all) = try grown([LiveShow.page(7..<9), anew, anew])
        // A single such load may come from a stale cache.
        #expect(names(all[1]).isEmpty)
        let growths = [all[0], all[2]]
        #expect(names(growths[1]) == ["new0.ts", "new1.ts"])
        #expect(growths[1].entries.map(\.isDiscontinuity) == [true, false])
        #expect(growths[1].gap == RecordedGap(number: 9, count: 0, reason: .restarted))
        #expect(window.next == 11 && window.shift == 9)
        // The vector that follows from the origin's number is written out, since the number differs.
        #expect(growths[1].entries.map { $0.keys.first?.iv?.bytes.last } == [0, 1])
    }

    @Test("the vector is written out also for a key of another format, which a provider may give for use")
    func vectorOfSystem() throws {
        func vectors(_ method: String) throws -> [UInt8?] {
            let key = "#EXT-X-KEY:METHOD=\(method),URI=\"skd://k\",KEYFORMAT=\"com.example\"\n"
            let anew = LiveShow.page(0..<2, tags: [0: key]).replacing("\ns", with: "\nnew")
            let (_, growths) = try grown([LiveShow.page(7..<9), anew, anew])
            return growths[2].entries.map { $0.keys.first?.iv?.bytes.last }
        }
        #expect(try vectors("AES-128") == [0, 1])
        #expect(try vectors("SAMPLE-AES") == [nil, nil])
    }

    @Test("the first segments of an encoder that begins anew are not lost while they are not trusted yet")
    func restartMeanwhile() throws {
        let pages = [0..<3, 2..<5].map { LiveShow.page($0).replacing("\ns", with: "\nnew") }
        let (window, growths) = try grown([LiveShow.page(600..<603), pages[0], pages[1]])
        #expect(names(growths[2]) == ["new0.ts", "new1.ts", "new2.ts", "new3.ts", "new4.ts"])
        #expect(growths[2].entries.map(\.isDiscontinuity) == [true, false, false, false, false])
        #expect(window.next == 608 && window.shift == 603)
        let (_, apart) = try grown([LiveShow.page(600..<603), pages[0], LiveShow.page(4..<6)])
        #expect(names(apart[2]) == ["s4.ts", "s5.ts"])
    }

    @Test("the same segments under higher numbers are known by their dates")
    func renumberedAhead() throws {
        let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n"
        let (_, growths) = try grown([
            LiveShow.page(4..<7, tags: [4: date]), LiveShow.page(4..<8, sequence: 100, tags: [4: date]),
        ])
        #expect(names(growths[1]) == ["s7.ts"] && growths[1].gap == nil)
    }

    @Test("the same names at other dates are other segments")
    func restartWithSameNames() throws {
        let early = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n"
        let late = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T02:00:00Z\n"
        let (_, growths) = try grown([
            LiveShow.page(0..<3, tags: [0: early]), LiveShow.page(0..<2, tags: [0: late]),
        ])
        #expect(names(growths[1]) == ["s0.ts", "s1.ts"])
    }

    @Test("a stream continues only if its last segment is listed at the same date and under the same address")
    func lastSegment() throws {
        let early = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n"
        let late = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T02:00:00Z\n"
        let (_, dated) = try grown([
            LiveShow.page(0..<3, tags: [0: early]), LiveShow.page(0..<3, tags: [0: late]),
        ])
        #expect(names(dated[1]) == ["s0.ts", "s1.ts", "s2.ts"] && dated[1].gap?.reason == .restarted)
        let (_, moved) = try grown([
            LiveShow.page(0..<3), LiveShow.page(2..<5, sequence: 0).replacing("\ns", with: "\nother/s"),
        ])
        #expect(names(moved[1]) == ["s2.ts", "s3.ts", "s4.ts"] && moved[1].gap?.reason == .restarted)
    }

    @Test("the same segments under other numbers are not taken twice")
    func renumbered() throws {
        let (window, growths) = try grown([LiveShow.page(4..<7), LiveShow.page(5..<9, sequence: 100_000)])
        #expect(names(growths[1]) == ["s7.ts", "s8.ts"])
        #expect(growths[1].gap == nil && window.next == 9)
    }

    @Test("numbers far behind are accepted when they come twice")
    func farBehind() throws {
        let far = LiveShow.page(0..<3).replacing("\ns", with: "\nfar")
        let (_, growths) = try grown([LiveShow.page(600..<603), far, far])
        #expect(growths.map(names)[1...] == [[], ["far0.ts", "far1.ts", "far2.ts"]])
    }

    @Test(
        "known segments that end 11 numbers before the newest come twice only from an origin that went back",
        arguments: [10, 11])
    func farInKnown(_ distance: Int) throws {
        let end = 30 - distance
        let far = LiveShow.page(end - 2..<end)
        let (window, growths) = try grown([LiveShow.page(0..<30), far, far])
        #expect(growths[1].entries.isEmpty && growths[2].entries.isEmpty == (distance == 10))
        #expect((window.next == 30) == (distance == 10))
    }

    @Test("no more is recorded than requested")
    func limit() throws {
        let playlist = try Playlists.parsedMedia(LiveShow.page(0..<9))
        var window = LiveWindow(playlist, base: base, at: 0, room: 2.5)
        let growth = try window.take(playlist, base: base)
        #expect(growth.entries.count == 3 && growth.isFull)
    }

    @Test("a key in the playlist is named even if a gap takes all the room")
    func keyBehindHole() throws {
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"data:text/plain;base64,AAAAAAAAAAAAAAAAAAAAAA==\"\n"
        let first = try Playlists.parsedMedia(LiveShow.page(0..<2))
        var window = LiveWindow(first, base: base, at: 0, room: 3.5)
        _ = try window.take(first, base: base)
        let later = try Playlists.parsedMedia(LiveShow.page(9..<11, tags: [9: key]))
        let growth = try window.take(later, base: base)
        #expect(growth.isFull && growth.entries.count == 2 && growth.entries.allSatisfy { $0.isGap })
        #expect(growth.namedKeys(base: base).map(\.isInline) == [true] && growth.keys(base: base).isEmpty)
    }

    @Test("numbers that are nanoseconds since 1970 are counted like any others")
    func nanoseconds() throws {
        let (first, anew) = (1_790_000_000_000_000_000, LiveShow.page(0..<2).replacing("\ns", with: "\nnew"))
        let (window, growths) = try grown([
            LiveShow.page(0..<3, sequence: first), LiveShow.page(1..<4, sequence: first + 1), anew, anew,
            LiveShow.page(5..<7, sequence: first + 60_000),
        ])
        #expect(growths.map { names($0).count } == [3, 1, 0, 2, 2])
        #expect(window.next == first + 8 && window.shift == 6 - 60_000)
    }

    @Test("numbers too large to continue are refused, and the known segments stay")
    func beyondCounting() throws {
        let largest = MediaPlaylist.largestSequenceNumber
        let anew = LiveShow.page(0..<3).replacing("\ns", with: "\nnew")
        var (window, _) = try grown([LiveShow.page(0..<3, sequence: largest - 53), anew, anew])
        #expect(window.next == largest - 47 && window.shift == largest - 50)
        let far = try Playlists.parsedMedia(LiveShow.page(1000..<1200, sequence: largest))
        #expect(throws: PlaylistError(code: .badInteger, line: 0)) { try window.take(far, base: base) }
        let next = try Playlists.parsedMedia(LiveShow.page(3..<5).replacing("\ns", with: "\nnew"))
        let growth = try window.take(next, base: base)
        #expect(names(growth) == ["new3.ts", "new4.ts"] && growth.gap == nil)
    }

    @Test(
        "a recording continues whether or not the shift of the origin's numbers was stored",
        arguments: [Int.max, 1 << 62, -(1 << 62), .min])
    func storedShift(_ shift: Int) throws {
        let recorded = try Playlists.parsedMedia(LiveShow.page(4..<7))
        let page = try Playlists.parsedMedia(LiveShow.page(5..<9).replacing("\ns", with: "\nnew"))
        var window = LiveWindow(after: recorded, shift: shift, discontinuity: 0)
        let growths = try (0..<2).map { _ in try window.take(page, base: base) }
        #expect(growths.flatMap(names) == ["new5.ts", "new6.ts", "new7.ts", "new8.ts"])
        #expect(window.next == 11 && window.shift == 2)
    }

    @Test("a date range with several tags in one load is written once, with all attributes")
    func severalTags() throws {
        let tag = "#EXT-X-DATERANGE:ID="
        let tags = "\(tag)\"a\",X-A=1\n\(tag)\"b\"\n\(tag)\"a\",X-B=2,X-A=3\n"
        let (_, growths) = try grown([
            LiveShow.page(0..<2, tags: [0: tags]), LiveShow.page(0..<2, tags: [0: tags]),
        ])
        #expect(growths.map(\.tags) == [["\(tag)\"a\",X-A=3,X-B=2", "\(tag)\"b\""], []])
    }

    @Test("a date range that would get too long for a line is not written, and its earlier form stays")
    func longDateRange() throws {
        func tag(_ name: String, _ count: Int) -> String {
            "#EXT-X-DATERANGE:ID=\"a\",\(name)=\"\(String(repeating: "x", count: count))\"\n"
        }
        let (window, growths) = try grown([
            LiveShow.page(0..<2, tags: [0: tag("X-A", 60_000)]),
            LiveShow.page(1..<3, tags: [1: tag("X-B", 60_000)]),
            LiveShow.page(2..<4, tags: [2: tag("X-C", 3)]),
        ])
        #expect(growths.map(\.tags.count) == [1, 0, 1] && window.next == 4)
        let last = try #require(growths[2].tags.first)
        #expect(last.contains("X-A=") && !last.contains("X-B=") && last.hasSuffix(",X-C=\"xxx\""))
    }

    @Test("a segment whose absolute address would get too long for a line is a gap, and needs nothing")
    func longAddress() throws {
        let long = String(repeating: "x", count: 65_500)
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"\(long)\"\n"
        let page = LiveShow.page(0..<5, tags: [2: key, 3: "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"])
            .replacing("\ns1.ts", with: "\n\(long)")
        let (window, growths) = try grown([page])
        #expect(names(growths[0]) == ["s0.ts", "gap", "gap", "s3.ts", "s4.ts"] && window.next == 5)
        #expect(growths[0].keys(base: base).map(\.address) == ["http://o/live/k"])
        let piece = try RecordedPiece(RecordedPlaylist.piece(growths[0], isFirst: true), from: 0)
        #expect(piece.playlist.segments.map(\.isGap) == [false, true, true, false, false])
    }

    @Test("a date range is written again when it gets more attributes")
    func dateRanges() throws {
        let begun = "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\"\n"
        let ended = "#EXT-X-DATERANGE:ID=\"a\",END-DATE=\"2026-01-01T00:00:02Z\"\n"
        let (_, growths) = try grown([
            LiveShow.page(0..<2, tags: [0: begun]), LiveShow.page(0..<2, tags: [0: begun]),
            LiveShow.page(1..<2, tags: [1: ended]),
        ])
        #expect(growths.map(\.tags.count) == [1, 0, 1])
        #expect(growths[2].tags.first?.contains("START-DATE") == true)
        #expect(growths[2].tags.first?.contains("END-DATE") == true)
    }

    @Test(
        "initialization vectors that follow from the number stay implied while the origin's numbers are kept")
    func impliedVectors() throws {
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
        let (_, growths) = try grown([LiveShow.page(3..<5, tags: [3: key])])
        #expect(growths[0].entries.map(\.keys.count) == [1, 1])
        #expect(growths[0].entries.flatMap(\.keys).allSatisfy { $0.ivText == nil })
    }

    @Test("a stream that begins anew and uses a name again is not the known one: the date differs")
    func reusedName() throws {
        let date = { (hour: Int) in "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T0\(hour):00:00Z\n" }
        let anew = LiveShow.page(0..<3, tags: [0: date(5)]).replacing("s0", with: "s8")
        let (window, growths) = try grown([LiveShow.page(7..<9, tags: [7: date(0)]), anew, anew])
        #expect(growths.map(names) == [["s7.ts", "s8.ts"], [], ["s8.ts", "s1.ts", "s2.ts"]])
        #expect(growths[2].gap?.reason == .restarted && window.next == 12)
    }

    @Test("ten thousand missed segments are a gap, one more means another stream")
    func largestGap() throws {
        let most = LiveWindow.largestGap
        let (_, growths) = try grown([LiveShow.page(0..<1), LiveShow.page(1 + most..<2 + most)])
        #expect(growths[1].gap == RecordedGap(number: 1, count: most, reason: .window))
        let (_, others) = try grown([LiveShow.page(0..<1), LiveShow.page(2 + most..<3 + most)])
        #expect(others[1].gap?.reason == .restarted && names(others[1]) == ["s\(2 + most).ts"])
    }

    @Test("a short list of a late cache adds nothing, however often it comes")
    func shortAndLate() throws {
        let late = LiveShow.page(10..<12)
        let (window, growths) = try grown([LiveShow.page(0..<20), late, late, late])
        #expect(growths[1...].allSatisfy(\.entries.isEmpty) && window.next == 20 && window.shift == 0)
    }

    @Test("a recording of a wanted length ends with the segment that fills it", arguments: [2, 1.5])
    func room(_ seconds: Double) throws {
        let page = try Playlists.parsedMedia(LiveShow.page(0..<4))
        var window = LiveWindow(page, base: base, at: 0, room: seconds)
        let growth = try window.take(page, base: base)
        #expect(names(growth) == ["s0.ts", "s1.ts"] && growth.isFull)
        var longer = LiveWindow(page, base: base, at: 0, room: 4.5)
        #expect(try !longer.take(page, base: base).isFull)
    }

    @Test("the last number that a playlist may have is used, and none beyond it")
    func lastNumber() throws {
        let most = MediaPlaylist.largestSequenceNumber
        let (window, growths) = try grown([LiveShow.page(most - 2..<most)])
        #expect(window.next == most && growths[0].entries.count == 2)
        #expect(throws: PlaylistError.self) { try grown([LiveShow.page(most - 1..<most + 1)]) }
    }

    @Test("a date range as long as a line may be is kept", arguments: [0, 1])
    func longestDateRange(_ excess: Int) throws {
        let start = "#EXT-X-DATERANGE:ID=\"a\",X-A=\""
        let count = ParseLimits().lineLength - start.utf8.count - 1
        var window = try window(LiveShow.page(0..<1))
        let tag = start + String(repeating: "x", count: count - 10 + excess) + "\"\n"
        let page = try Playlists.parsedMedia(LiveShow.page(0..<1, tags: [0: tag]))
        // The attributes of a second tag make the line longer than either.
        let more = "#EXT-X-DATERANGE:ID=\"a\",X-B=12345\n"
        #expect(try window.take(page, base: base).tags.count == 1)
        let next = try Playlists.parsedMedia(LiveShow.page(1..<2, tags: [1: more]))
        #expect(try window.take(next, base: base).tags.count == 1 - excess)
    }
}
