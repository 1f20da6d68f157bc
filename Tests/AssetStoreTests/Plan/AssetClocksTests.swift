import ModelTestSupport
import SidebandSubtitles
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

@Suite("The clock of a discontinuity")
struct AssetClocksTests {
    private let folder: TemporaryDirectory
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    init() throws { folder = try TemporaryDirectory() }

    /// The clocks of four stored segments of four seconds, of which only one has a time stamp.
    private func clocks(
        timed: Int, change: (String) -> String = { $0 }
    ) throws -> [Int: FirstTimestamp] {
        for number in 0..<4 {
            let stamp: [UInt8] = number == timed ? Media.timedPacket(1_800_000) : []
            let bytes = stamp + Media.ts(3, seed: UInt64(number + 1))
            try folder.write(bytes, to: "assets/\(token)/video/\(number).ts")
        }
        let text = Playlists.media((0..<4).map { "s\($0).ts" })
        let source = try Playlists.parsedMedia(change(text))
        let media = ClearSegments(
            source, url: "http://o/m.m3u8", paths: StorePaths(root: FilePath(folder.path)), token: token,
            rendition: "video", container: .ts, keys: [:], records: [])
        let clocks = AssetClocks(
            timeline: PresentationTimeline(source), media: media, stored: Set(0..<4))
        return try clocks.firstTimestamps()
    }

    @Test("is worked out from the first of its segments that has one, of three at most")
    func tries() throws {
        let third = try clocks(timed: 2)
        #expect(third == [0: .known(1_800_000 - 8 * 90_000)])
        let fourth = try clocks(timed: 3)
        #expect(fourth == [0: .unreadable])
    }

    @Test("is looked for in its own segments, whatever those of another discontinuity have")
    func own() throws {
        let found = try clocks(timed: 3) {
            $0.replacing("#EXTINF:4,\ns3.ts", with: "#EXT-X-DISCONTINUITY\n#EXTINF:4,\ns3.ts")
        }
        #expect(found == [0: .unreadable, 1: .known(1_800_000)])
    }
}
