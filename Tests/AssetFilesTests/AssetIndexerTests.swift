import AssetStore
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetFiles

@Suite("The indexer of arriving segments", .timeLimit(.minutes(1)))
struct AssetIndexerTests {
    private static let tracks = [MadeTrack.picture(width: 160), .sound(rate: 48_000)]

    private func indexed(_ fixture: StoreFixture, _ token: AssetToken) throws -> Int {
        try FilmFixture(store: fixture.store, token: token, source: "").indexedSegments(of: "video")
    }

    @Test("enters a rendition when its last segment is stored, one asset after the other, until it ends")
    func arriving() async throws {
        try await StoreFixture.run { fixture async throws in
            for (name, count) in [("a", 3), ("b", 2), ("c", 1)] {
                for file in MadeRendition.even(Self.tracks, name: name, count: count).files {
                    fixture.origin.serve("/\(file.name)", bytes: file.bytes)
                }
            }
            let indexer = AssetIndexer(fixture.store)
            let first = try await fixture.download("/a.m3u8").token
            let second = try await fixture.download("/b.m3u8").token
            await indexer.finish()
            #expect(try indexed(fixture, first) == 3 && indexed(fixture, second) == 2)
            let third = try await fixture.download("/c.m3u8").token
            await indexer.finish()
            #expect(try indexed(fixture, third) == 0)
        }
    }

    /// Stores another stream and waits until it is indexed: all that was stored before was looked at by then.
    private func indexAnother(_ fixture: StoreFixture) async throws {
        let stream = MadeRendition.even(Self.tracks, name: "other")
        for file in stream.files { fixture.origin.serve("/\(file.name)", bytes: file.bytes) }
        let token = try await fixture.download("/other.m3u8").token
        try await eventually { try indexed(fixture, token) == 2 }
    }

    /// Continues a download that has failed, now that the origin has a file.
    private func resume(_ token: AssetToken, with path: String, _ fixture: StoreFixture) async throws {
        fixture.origin.clearFaults(path)
        try await fixture.store.perform(.resume, on: token)
        await fixture.store.untilSettled(token)
        #expect(try fixture.store.reader.requireAsset(token).state == .complete)
    }

    @Test("waits for an initialization section that is stored after the segments")
    func lateSection() async throws {
        try await StoreFixture.run { fixture async throws in
            let stream = MadeRendition.even(Self.tracks, name: "a", count: 3)
            for file in stream.files { fixture.origin.serve("/\(file.name)", bytes: file.bytes) }
            fixture.origin.fault("/a-section0.mp4", .status(404))
            let indexer = AssetIndexer(fixture.store)
            let token = try await fixture.download("/a.m3u8").token
            try await indexAnother(fixture)
            try await resume(token, with: "/a-section0.mp4", fixture)
            await indexer.finish()
            #expect(try indexed(fixture, token) == 3)
        }
    }

    @Test("does not come back to a stream that can't be read")
    func unreadable() async throws {
        try await StoreFixture.run { fixture async throws in
            let headers = [[UInt8]](repeating: MadePackets.stereo, count: 3)
            var segments = MadePackets.sound(headers)
            let readable = segments[0]
            // Two packets without a meaning in place of the tables.
            let empty = SampleMedia.packet(0x1FFF, begins: false, [])
            segments = MadePackets.sound(headers, types: [])
            segments[0] = empty + empty + segments[0]
            #expect(segments[0].count == readable.count)
            for (number, bytes) in segments.enumerated() {
                fixture.origin.serve("/bad/\(number).ts", bytes: bytes, contentType: "video/mp2t")
            }
            fixture.origin.serve("/bad/index.m3u8", text: Playlists.media(["0.ts", "1.ts", "2.ts"]))
            fixture.origin.fault("/bad/2.ts", .status(404))
            let indexer = AssetIndexer(fixture.store)
            let token = try await fixture.download("/bad/index.m3u8").token
            try await indexAnother(fixture)
            try DurableWrite.write(readable, to: fixture.path(token, "video/0.ts"))
            try await resume(token, with: "/bad/2.ts", fixture)
            await indexer.finish()
            #expect(try indexed(fixture, token) == 0)
        }
    }
}
