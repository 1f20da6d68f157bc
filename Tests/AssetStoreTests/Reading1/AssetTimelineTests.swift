import Foundation
import StoreTestSupport
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
@testable import StorePlanning
@testable import StoreReading

@Suite("The timeline of an asset", .timeLimit(.minutes(2)))
struct AssetTimelineTests {
    private func timeline(_ fixture: StoreFixture, _ token: AssetToken) throws -> AssetTimeline {
        try #require(try fixture.store.reader.playlists.timeline(token))
    }

    /// Six segments from number 10 on, of which the fourth and the fifth never existed. From the third one on, there is
    /// another initialization section.
    private func fragments(_ fixture: StoreFixture) async throws -> AssetToken {
        let origin = fixture.origin
        for number in 0..<2 {
            origin.serve("/v/i\(number).mp4", bytes: Media.initialization(UInt64(number + 1)))
        }
        for number in 0..<6 {
            origin.serve("/v/s\(number).m4s", bytes: Media.fragment(UInt64(number + 1)))
        }
        let text = """
            #EXTM3U
            #EXT-X-VERSION:8
            #EXT-X-TARGETDURATION:4
            #EXT-X-MEDIA-SEQUENCE:10
            #EXT-X-MAP:URI="i0.mp4"
            #EXTINF:4,
            s0.m4s
            #EXTINF:4,
            s1.m4s
            #EXT-X-DISCONTINUITY
            #EXT-X-MAP:URI="i1.mp4"
            #EXTINF:4,
            s2.m4s
            #EXT-X-GAP
            #EXTINF:4,
            s3.m4s
            #EXT-X-GAP
            #EXTINF:4,
            s4.m4s
            #EXTINF:2,
            s5.m4s
            #EXT-X-ENDLIST

            """
        origin.serve("/v/index.m3u8", text: text)
        return try await fixture.download("/v/index.m3u8").token
    }

    @Test("has the segments' times, their initialization sections, and runs of stored ones and of gaps")
    func segments() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await fragments(fixture)
            let timeline = try timeline(fixture, token)
            #expect(timeline.asset.token == token)
            let video = try #require(timeline.renditions.first)
            #expect(timeline.renditions.count == 1)
            #expect(video.first == 10 && video.start == 0)
            #expect(video.durations == [4, 4, 4, 4, 4, 2])
            #expect(video.discontinuities == [12])
            #expect(video.sections.map { "\($0.first) \($0.section)" } == ["10 0", "12 1"])
            #expect(video.stored == [10...12, 15...15])
            #expect(video.gaps == [13...14])
            #expect(video.container == .m4s && !video.isEncrypted)
        }
    }

    @Test("counts segments as gaps that a recording could not get in time, too")
    func lost() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await fragments(fixture)
            let catalog = fixture.store.catalog
            let row = try #require(try catalog.renditions.rendition(token, "video"))
            try catalog.units.markAbsent([(row.id, .segment, 10)], as: .gap)
            let video = try #require(try timeline(fixture, token).renditions.first)
            #expect(video.gaps == [10...10, 13...14])
            #expect(video.stored == [11...12, 15...15])
        }
    }

    @Test("has sound that is in the stream of the pictures without segments, and not as encrypted")
    func carried() async throws {
        try await StoreFixture.run { fixture async throws in
            Licensed.serve(on: fixture.origin)
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("AUDIO", "a", "en", nil, "DEFAULT=YES"),
                    Playlists.variant("video/index.m3u8", 1_000_000, #"AUDIO="a""#)))
            let token = try await fixture.download("/master.m3u8").token
            let found = try timeline(fixture, token).renditions
            let video = try #require(found.first { $0.rendition.kind == .variant })
            #expect(video.isEncrypted && video.durations.count == 4 && video.group == "a")
            let sound = try #require(found.first { $0.rendition.kind == .audio })
            #expect(!sound.isEncrypted && sound.durations.isEmpty && sound.stored.isEmpty)
            #expect(sound.isDefault && sound.group == "a")
        }
    }

    @Test("has no rendition that was given up")
    func givenUp() async throws {
        try await StoreFixture.run { fixture async throws in
            for (name, seed) in [("v", 1), ("en", 10), ("fr", 20)] {
                fixture.origin.serveStream("/\(name)", count: 2, seed: UInt64(seed))
            }
            fixture.origin.fault("/fr/s1.ts", .status(404))
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("AUDIO", "a", "en", "en/index.m3u8", "DEFAULT=YES"),
                    Playlists.rendition("AUDIO", "a", "fr", "fr/index.m3u8"),
                    Playlists.variant("v/index.m3u8", 900_000, #"AUDIO="a""#)))
            let asset = try await fixture.download("/master.m3u8") { $0.selection.audio = .all }
            #expect(asset.renditions.count == 3)
            let names = try timeline(fixture, asset.token).renditions.map(\.rendition.name)
            #expect(Set(names) == ["video", "audio-en"])
        }
    }

    @Test("is there although the asset's files can't be looked at")
    func unreadable() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.download("/v/index.m3u8").token
            fixture.store.parts.tamperWatch.stop()
            let (folder, away) = (fixture.path(token, "video"), fixture.path(token, "away"))
            try FileSystem.rename(folder, to: away)
            // Not even root can open a link to itself.
            try FileManager.default.createSymbolicLink(
                atPath: folder.string, withDestinationPath: folder.string)
            let asset = try timeline(fixture, token).asset
            #expect(asset.availability.blockedBy == [.unreadable])
            try FileSystem.unlink(folder)
            try FileSystem.rename(away, to: folder)
        }
    }
}
