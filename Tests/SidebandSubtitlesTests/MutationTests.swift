import SidebandSubtitles
import Testing

@Suite("Damaged files")
struct MutationTests {
    @Test("give a track that reads the same when written again, or an error, and never a crash")
    func mutations() throws {
        var random = SplitMix(state: 7)
        let names = ["file-parsing", "spec"].flatMap { folder in
            Fixtures.names(folder).map { "\(folder)/\($0).vtt" }
        }
        let originals = try names.map(Fixtures.bytes).filter { $0.count > 20 }
        var accepted = 0
        for round in 0..<3000 {
            let bytes = random.damage(originals[round % originals.count])
            guard let file = try? WebVTTFile(parsing: bytes) else { continue }
            let again = try WebVTTFile(parsing: WebVTTWriter().bytes(of: file.track))
            #expect(again.track == file.track)
            for cue in file.track.cues { try check(cue.content) }
            accepted += 1
        }
        #expect(accepted > 1000)
    }

    @Test("merge without a crash, in any order and at any place")
    func merging() throws {
        var random = SplitMix(state: 9)
        let originals = try Fixtures.names("segmented").map { try Fixtures.bytes("segmented/\($0)/seg0.vtt") }
        for round in 0..<300 {
            var merger = SegmentMerger(clocks: [
                1: MediaClock(firstTicks: Int(truncatingIfNeeded: random.next()))
            ])
            for index in 0..<8 {
                let bytes = random.damage(originals[(round + index) % originals.count])
                let start = Double(random.next() % 1_000_000) / 7
                try merger.add(bytes, at: SegmentPlace(start: start, duration: 6, discontinuity: index % 3))
            }
            let cues = merger.merged().track.cues
            #expect(cues.allSatisfy { $0.start >= CueTime(milliseconds: 0) })
            #expect(zip(cues, cues.dropFirst()).allSatisfy { $0.start <= $1.start })
        }
    }

    /// Nodes lie within their parents.
    private func check(_ text: CueText) throws {
        var ends = [text.nodes.count]
        for (index, node) in text.nodes.enumerated() {
            while let end = ends.last, end == index { ends.removeLast() }
            #expect(node.end > index && node.end <= (ends.last ?? 0))
            if node.end > index + 1 { ends.append(node.end) }
        }
    }
}

/// Random numbers that are the same in each run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// The bytes with a few of them changed, left out, doubled or moved.
    mutating func damage(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let special = Array("\n\r\0:.,-> <>&/%1\u{FEFF}".utf8)
        for _ in 0..<Int.random(in: 1...6, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &self)
            let length = Int.random(in: 1...12, using: &self)
            let end = min(place + length, bytes.count)
            switch Int.random(in: 0..<5, using: &self) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes.insert(special.randomElement(using: &self) ?? 0, at: place)
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            default: bytes.removeSubrange(end...)
            }
        }
        return bytes
    }
}

@Suite("Segments of too many cues")
struct LargeSegmentTests {
    @Test("give their first cues, and say so")
    func limit() throws {
        var limits = WebVTTLimits()
        limits.cues = 2
        var merger = SegmentMerger(limits: limits)
        let cues = (1...3).map { "00:0\($0).000 --> 00:0\($0).500\n\($0)\n\n" }.joined()
        try merger.add(Array("WEBVTT\n\n\(cues)".utf8), at: SegmentPlace(start: 0, duration: 6))
        #expect(merger.merged().track.cues.map(\.text) == ["1", "2"])
        let codes = merger.merged().problems.map(\.code)
        #expect(codes == [.warning(WebVTTWarning(.tooManyCues, line: 9))])
    }
}

@Suite("Damaged files of other formats")
struct OtherFormatMutationTests {
    private static let originals = [
        "1\n00:00:01,500 --> 00:00:02,000\n{\\an8}<b>a</b> <font color=red>x</font>\n\n2\n00:03 --> 00:04\nb\n",
        """
        [V4+ Styles]
        Format: Name, Bold, Alignment, PrimaryColour
        Style: A,1,8,&H0000FFFF
        [Events]
        Format: Start, End, Style, Text
        Dialogue: 0:00:01.00,0:00:02.00,A,{\\pos(1,2)\\k10}a{\\rA\\p1}m{\\p0}\\Nb
        """,
        """
        <tt><head><layout><region xml:id="r" origin="1% 2%" extent="3% 4%"/></layout></head><body>
        <div begin="1s"><p region="r" begin="1s" end="2:00:00">a<br/><span color="red">b</span></p></div></body></tt>
        """,
    ]

    @Test("give cues that every writer can write, or an error, and never a crash")
    func mutations() throws {
        var random = SplitMix(state: 21)
        var accepted = 0
        for round in 0..<1500 {
            let bytes = random.damage(Array(Self.originals[round % Self.originals.count].utf8))
            guard let track = try? SubtitleFile(reading: bytes).track else { continue }
            let again = try WebVTTFile(parsing: WebVTTWriter().bytes(of: track)).track
            #expect(again.cues.count == track.cues.count)
            for format in SubtitleFormat.allCases {
                #expect(!format.bytes(of: track).isEmpty || format == .text || format == .srt)
            }
            accepted += 1
        }
        #expect(accepted > 700)
    }
}
