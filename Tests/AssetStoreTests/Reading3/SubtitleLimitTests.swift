import Foundation
import ModelTestSupport
import SidebandSubtitles
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

@Suite("A subtitle track of large segments", .ofSQLite, .timeLimit(.minutes(2)))
struct SubtitleLimitTests {
    /// A track of segments with these sizes, as a closed store has it. They are MP4 without any text.
    private func track(_ sizes: [Int]) async throws -> AssetSubtitles {
        let fixture = try StoreFixture()
        fixture.origin.serveStream("/v")
        fixture.origin.serveSubtitles("/s", count: sizes.count)
        fixture.origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("SUBTITLES", "s", "en", "s/index.m3u8"),
                Playlists.variant("v/index.m3u8", 900_000, #"SUBTITLES="s""#)))
        let token = try await fixture.download("/master.m3u8").token
        try fixture.store.catalog.write(.store) { session in
            for (number, size) in sizes.enumerated() {
                try session.execute(
                    """
                    UPDATE unit SET size = ? WHERE kind = 0 AND number = ?
                        AND rendition = (SELECT id FROM rendition WHERE name = 'subtitles-en')
                    """, [Int64(size), number])
            }
        }
        await fixture.store.stop()
        for (number, size) in sizes.enumerated() {
            try enlarge(fixture.path(token, "subtitles-en/\(number).vtt"), to: size)
        }
        let reader = try StoreReader(root: fixture.root)
        return try #require(try reader.captions.subtitles(token, "en"))
    }

    /// Makes a file one box of MP4. The rest of it takes no room on the disk.
    private func enlarge(_ path: FilePath, to size: Int) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: path.string))
        // A box of size 0 is as long as its file.
        try file.write(contentsOf: Data([0, 0, 0, 0] + Array("free".utf8)))
        try file.truncate(atOffset: UInt64(size))
        try file.close()
    }

    @Test(
        "is complete unless one of them is larger than what is read of it, or all are larger than a track",
        arguments: [
            ([1 << 20], true), ([44 << 20, 44 << 20], true), ([ClearSegments.limit + 1], false),
            ([44 << 20, 44 << 20, 44 << 20], false),
        ] as [([Int], Bool)])
    func limits(_ sizes: [Int], _ isComplete: Bool) async throws {
        let found = try await track(sizes)
        #expect(found.isComplete == isComplete)
        #expect(!found.isDamaged && found.track.cues.isEmpty)
    }
}
