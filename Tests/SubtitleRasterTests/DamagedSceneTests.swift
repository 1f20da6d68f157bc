import SidebandSubtitles
import SubtitleRaster
import Testing

@Suite("Damaged scenes", .timeLimit(.minutes(5)))
struct DamagedSceneTests {
    @Test("give a picture all the same")
    func mutations() throws {
        let rasterizer = try SubtitleRasterizer()
        let size = try #require(FrameSize(width: 160, height: 90))
        let originals = try BrowserScene.all().sorted { $0.key < $1.key }.map { Array($0.value.vtt.utf8) }
        var random = Numbers()
        var painted = 0
        for round in 0..<2000 {
            let bytes = damaged(originals[round % originals.count], &random)
            guard let file = try? WebVTTFile(parsing: bytes) else { continue }
            let picture = try rasterizer.picture(
                [ShownTrack(file.track)], size: size, at: CueTime(seconds: 0.3))
            #expect(picture.png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            painted += picture.layout.isEmpty ? 0 : 1
        }
        #expect(painted > 400)
    }

    @Test(
        "with characters of every kind are painted",
        arguments: [
            "\u{202E}\u{2066}x\u{202C}", "\u{200D}\u{FE0F}\u{20E3}", "👩‍👩‍👧‍👦🇩🇪", "\u{10FFFF}\u{FFFE}\u{FFFD}",
            "ก็ำ\u{E31}\u{E31}",
            "\u{0}\u{1}\u{7F}\u{AD}\u{2028}\u{85}", String(repeating: "\u{489}", count: 2000), "ﷺ漢字かなハングル한국어",
        ])
    func characters(text: String) throws {
        let rasterizer = try SubtitleRasterizer()
        let size = try #require(FrameSize(width: 320, height: 180))
        for direction in [CueSettings.WritingDirection.horizontal, .growingLeft, .growingRight] {
            var settings = CueSettings()
            settings.writingDirection = direction
            let cue = Cue(
                start: CueTime(seconds: 0), end: CueTime(seconds: 1), settings: settings,
                text: "\(text) <ruby>\(text)<rt>\(text)</rt></ruby>")
            _ = try rasterizer.picture(
                [ShownTrack(SubtitleTrack(cues: [cue]))], size: size, at: CueTime(seconds: 0.5))
        }
    }

    /// The bytes with some of them changed, left out or doubled.
    private func damaged(_ bytes: [UInt8], _ random: inout Numbers) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...5, using: &random) where bytes.count > 20 {
            let place = Int.random(in: 8..<bytes.count, using: &random)
            let end = min(place + Int.random(in: 1...10, using: &random), bytes.count)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(place..<end)
            default: bytes.insert(contentsOf: bytes[place..<end], at: place)
            }
        }
        return bytes
    }
}

/// Random numbers that are the same in each run (xorshift).
private struct Numbers: RandomNumberGenerator {
    private var state: UInt64 = 0x2545_F491_4F6C_DD1D

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
