import Foundation
import SidebandSubtitles
import Testing

@Suite("The conformance files")
struct ConformanceTests {
    @Test("are read to the cues, regions and styles of the standard", arguments: ["file-parsing", "spec"])
    func files(folder: String) throws {
        let names = Fixtures.names(folder)
        #expect(names.count == (folder == "spec" ? 21 : 45))
        for name in names {
            let expected = try Fixtures.object("\(folder)/\(name).expected.json")
            let bytes = try Fixtures.bytes("\(folder)/\(name).vtt")
            guard expected["valid"] as? Bool == true else {
                #expect(refusal(bytes) != nil, "\(name)")
                continue
            }
            let track = try WebVTTFile(parsing: bytes).track
            let found = try object(track)
            #expect(difference(expected["cues"], cuesWithRegions(found, track)) == nil, "\(name)")
            #expect(difference(expected["regions"], found["regions"]) == nil, "\(name)")
            if let styles = expected["styles"] {
                #expect(difference(styles, found["styles"]) == nil, "\(name)")
            }
        }
    }

    @Test("give the trees of the standard")
    func trees() throws {
        let cases = try #require(try Fixtures.json("cue-text/cases.json") as? [[String: Any]])
        #expect(cases.count == 77)
        for item in cases {
            let input = try #require(item["input"] as? String)
            // A blank line would end a cue; the test's own reader cuts there too.
            let cueText = input.replacing("\0", with: "\u{FFFD}").components(separatedBy: "\n\n")[0]
            let found = try object(SubtitleTrack(cues: [cue(0, 1, cueText)]), trees: true)
            let tree = try #require((found["cues"] as? [[String: Any]])?.first?["tree"])
            #expect(difference(item["expected_tree"], tree) == nil, "\(input)")
        }
    }

    @Test("read the same after they are written and read again")
    func rewriting() throws {
        for folder in ["file-parsing", "spec"] {
            for name in Fixtures.names(folder) {
                guard let first = try? WebVTTFile(parsing: try Fixtures.bytes("\(folder)/\(name).vtt")) else {
                    continue
                }
                let writer = WebVTTWriter(timestampMap: first.timestampMap, headerLines: first.headerLines)
                let second = try WebVTTFile(parsing: writer.bytes(of: first.track))
                #expect(second.track == first.track, "\(name)")
                let lines = first.headerLines.map { $0.replacing("-->", with: "--&gt;") }
                #expect(second.headerLines == lines, "\(name)")
                #expect(second.timestampMap == first.timestampMap, "\(name)")
            }
        }
    }

    @Test("of segmented tracks are merged as expected", arguments: Fixtures.names("segmented"))
    func segments(name: String) throws {
        let expected = try Fixtures.object("segmented/\(name)/expected.json")
        let merged = try PlaylistReader(name).merge(firstTicks: expected["init_pts"] as? [Int] ?? [])
        let found = try #require(try object(merged.track)["cues"])
        let alternatives = expected["alternatives"] as? [[String: Any]] ?? []
        let wanted = [expected["cues"]] + alternatives.map { $0["cues"] }
        #expect(wanted.contains { difference($0, found, tolerance: 0.0011) == nil })
    }

    /// The cues with the settings of their region under `regionSettings`.
    private func cuesWithRegions(_ found: [String: Any], _ track: SubtitleTrack) -> [[String: Any]] {
        let cues = found["cues"] as? [[String: Any]] ?? []
        let regions = found["regions"] as? [[String: Any]] ?? []
        return cues.map { cue in
            var cue = cue
            let last = regions.last { $0["id"] as? String == cue["region"] as? String }
            cue["regionSettings"] = last ?? NSNull()
            return cue
        }
    }
}

/// Reads the few tags that the playlists in `Fixtures/segmented` have.
struct PlaylistReader {
    private var segments: [(uri: String?, place: SegmentPlace)] = []
    private let folder: String

    init(_ name: String) throws {
        folder = "segmented/\(name)"
        var (start, duration, discontinuity, isGap) = (0.0, 0.0, 0, false)
        for line in text(try Fixtures.bytes("\(folder)/playlist.m3u8")).split(separator: "\n") {
            if line.hasPrefix("#EXTINF:") { duration = Double(line.dropFirst(8).prefix { $0 != "," }) ?? 0 }
            if line == "#EXT-X-DISCONTINUITY" { discontinuity += 1 }
            if line == "#EXT-X-GAP" { isGap = true }
            if line.hasPrefix("#") { continue }
            let place = SegmentPlace(start: start, duration: duration, discontinuity: discontinuity)
            segments.append((isGap ? nil : String(line), place))
            start += duration
            isGap = false
        }
    }

    func merge(firstTicks: [Int]) throws -> MergedSubtitles {
        let clocks = firstTicks.enumerated().map { ($0.offset, MediaClock(firstTicks: $0.element)) }
        var merger = SegmentMerger(clocks: Dictionary(uniqueKeysWithValues: clocks))
        for segment in segments {
            try merger.add(segment.uri.map { try Fixtures.bytes("\(folder)/\($0)") }, at: segment.place)
        }
        return merger.merged()
    }
}
