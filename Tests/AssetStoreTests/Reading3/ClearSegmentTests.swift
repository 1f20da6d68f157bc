import HLSPlaylist
import ModelTestSupport
import SidebandSubtitles
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning
@testable import StoreReading

@Suite("Stored segments that subtitles are placed by")
struct ClearSegmentTests {
    private let folder: TemporaryDirectory
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    init() throws { folder = try TemporaryDirectory() }

    /// The segments of a playlist, of which no file is there yet.
    private func segments(_ source: MediaPlaylist) -> ClearSegments {
        ClearSegments(
            source, url: "http://o/m.m3u8", paths: StorePaths(root: FilePath(folder.path)), token: token,
            rendition: "video", container: .ts, keys: [:], records: [])
    }

    private func source() throws -> MediaPlaylist { try Playlists.parsedMedia(Playlists.media(["s0.ts"])) }

    @Test("are read up to a number of bytes, or whole")
    func beginning() throws {
        let source = try source()
        let bytes = Media.ts(3)
        try folder.write(bytes, to: "assets/\(token)/video/0.ts")
        let media = segments(source)
        let segment = try #require(source.segments.first)
        #expect(try media.segment(segment, first: 188) == Array(bytes.prefix(188)))
        #expect(try media.segment(segment) == bytes)
    }

    @Test("are there if their files have the stored length, or if they are in a bucket")
    func there() throws {
        let media = segments(try source())
        var unit = UnitOutline(kind: .segment, number: 0, start: 0, duration: 4, state: .stored, size: 564)
        #expect(!media.has(unit))
        unit.isInBucket = true
        #expect(media.has(unit))
        unit.isInBucket = false
        try folder.write(Media.ts(3), to: "assets/\(token)/video/0.ts")
        #expect(media.has(unit))
        unit.size = 565
        #expect(!media.has(unit))
    }

    @Test("have no clock that can be read if their files are gone")
    func gone() throws {
        let source = try source()
        let media = segments(source)
        let clocks = AssetClocks(timeline: PresentationTimeline(source), media: media, stored: [0])
        let found = try clocks.firstTimestamps()
        #expect(try media.segment(source.segments[0]) == nil)
        #expect(found == [0: .unreadable])
    }

    @Test("give the playlist of subtitles their dates, and no others if it begins with the first of them")
    func dates() throws {
        let date = "2026-01-31T08:00:04Z"
        let text = Playlists.media(["s0.ts", "s1.ts"]).replacing(
            "#EXTINF:4,\ns1.ts", with: "#EXT-X-PROGRAM-DATE-TIME:\(date)\n#EXTINF:4,\ns1.ts")
        let source = try Playlists.parsedMedia(text)
        for isGrowing in [false, true] {
            let bytes = PresentationTimeline(source, isGrowing: isGrowing).subtitlePlaylist()
            let made = try Playlists.parsedMedia(String(decoding: bytes, as: UTF8.self))
            #expect(made.segments.map(\.programDateTime) == [nil, date])
        }
    }
}
