import ModelTestSupport
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

/// Disguised media: only the media are stored.
@Suite("The disguise of media is removed", .timeLimit(.minutes(3)))
struct UnwrappingTests {
    /// Expects a whole asset whose second segment is these bytes, and that the store finds it sound.
    private func expect(
        _ media: [UInt8], in name: String, of asset: Asset, _ fixture: StoreFixture
    ) async throws {
        #expect(asset.state == .complete && asset.availability.offline, "\(asset.failure?.message ?? "")")
        #expect(try fixture.stored(asset.token, name) == media)
        #expect(try await fixture.store.verify(asset.token).isSound)
        let names = FileSystem.names(in: fixture.path(asset.token, "video"))
        #expect(names.allSatisfy { !$0.hasPrefix(".") }, "\(names)")
    }

    @Test("a picture, a page or a tag before a transport stream", arguments: SampleMedia.wrappings.indices)
    func before(_ index: Int) async throws {
        let before = SampleMedia.wrappings[index].bytes
        try await StoreFixture.run { fixture async throws in
            let media = fixture.origin.serveStream("/v", count: 3)
            for number in 0..<3 {
                fixture.origin.serve("/v/s\(number).ts", bytes: before + media[number])
            }
            let asset = try await fixture.download("/v/index.m3u8")
            for number in 0..<3 {
                try await expect(media[number], in: "video/\(number).ts", of: asset, fixture)
                #expect(fixture.origin.requests(for: "/v/s\(number).ts").count == 1)
            }
            let disguise = try fixture.store.catalog.read { session in
                try session.value("SELECT disguise FROM rendition") as String?
            }
            #expect(disguise == SampleMedia.wrappings[index].name)
        }
    }

    @Test(
        "a picture, a page or a tag before fragments and their section",
        arguments: SampleMedia.wrappings.indices)
    func beforeBoxes(_ index: Int) async throws {
        let before = SampleMedia.wrappings[index].bytes
        try await StoreFixture.run { fixture async throws in
            let (start, media) = (Media.initialization(), SampleMedia.fragment(samples: [700, 900]))
            fixture.origin.serve("/v/i.mp4", bytes: before + start)
            fixture.origin.serve("/v/s.m4s", bytes: before + media)
            fixture.origin.serve(
                "/v/index.m3u8", text: Playlists.media(["s.m4s"], tags: "#EXT-X-MAP:URI=\"i.mp4\"\n"))
            let asset = try await fixture.download("/v/index.m3u8")
            try await expect(media, in: "video/0.m4s", of: asset, fixture)
            try await expect(start, in: "video/init-0.mp4", of: asset, fixture)
        }
    }

    @Test("a picture or a page before packed audio", arguments: 0..<6, [0, 73])
    func beforeAudio(_ index: Int, _ tag: Int) async throws {
        let before = SampleMedia.wrappings[index].bytes
        try await StoreFixture.run { fixture async throws in
            let media = (tag > 0 ? SampleMedia.id3(tag) : []) + SampleMedia.adts([300, 411, 280, 350])
            for number in 0..<2 { fixture.origin.serve("/v/s\(number).aac", bytes: before + media) }
            fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["s0.aac", "s1.aac"]))
            let asset = try await fixture.download("/v/index.m3u8")
            for number in 0..<2 {
                try await expect(media, in: "video/\(number).aac", of: asset, fixture)
            }
            #expect(asset.renditions.first?.disguise == SampleMedia.wrappings[index].name)
        }
    }

    @Test("in imported folders, and named after the import")
    func imported() async throws {
        let folder = try TemporaryDirectory()
        let before = SampleMedia.wrappings[0].bytes
        for number in 0..<2 {
            let bytes = before + Media.ts(10, seed: UInt64(number))
            try folder.write(bytes, to: "s\(number).ts")
        }
        try folder.write(Array(Playlists.media(["s0.ts", "s1.ts"]).utf8), to: "index.m3u8")
        try await StoreFixture.run { fixture async throws in
            let token = try await fixture.store.imports.add(FilePath(folder.path)).token
            let asset = try fixture.store.reader.requireAsset(token)
            try await expect(Media.ts(10, seed: 1), in: "video/1.ts", of: asset, fixture)
            #expect(asset.health.level == .sound && asset.renditions.first?.disguise == "PNG")
            try FileSystem.unlink(fixture.path(token, "video/1.ts"))
            #expect(try await fixture.store.verify(token).missing == ["video/1.ts"])
            _ = try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            try await expect(
                Media.ts(10, seed: 1), in: "video/1.ts", of: fixture.store.reader.requireAsset(token), fixture
            )
        }
    }

    @Test(
        "an undeclared compression, for any name of the address",
        arguments: SampleMedia.Coding.allCases, ["s1.ts", "s1"])
    func compressed(_ coding: SampleMedia.Coding, _ name: String) async throws {
        try await StoreFixture.run { fixture async throws in
            let media = fixture.origin.serveStream("/v", count: 2)
            fixture.origin.serve("/v/\(name)", bytes: SampleMedia.compressed(media[1], coding))
            fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["s0.ts", name]))
            let asset = try await fixture.download("/v/index.m3u8")
            try await expect(media[1], in: "video/1.ts", of: asset, fixture)
        }
    }

    @Test("a compression of subtitles that was not announced", arguments: SampleMedia.Coding.allCases)
    func compressedSubtitles(_ coding: SampleMedia.Coding) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveSubtitledStream()
            let text = Array("WEBVTT\n\n00:00.000 --> 00:01.000\nHello, hello, hello\n".utf8)
            fixture.origin.serve("/s/s1.vtt", bytes: SampleMedia.compressed(text, coding))
            let asset = try await fixture.download("/master.m3u8")
            #expect(asset.state == .complete)
            #expect(try fixture.stored(asset.token, "subtitles-en/1.vtt") == text)
        }
    }

    @Test("unless the media grow beyond all limits; then nothing is kept")
    func bomb() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let large = Media.ts(10) + [UInt8](repeating: 0, count: 4 << 20)
            fixture.origin.serve("/v/s1.ts", bytes: SampleMedia.compressed(large, .gzip))
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .failed && asset.failure?.errorClass == "integrity")
            #expect(asset.failure?.message.contains("an archive (gzip) came instead of media") == true)
            let names = FileSystem.names(in: fixture.path(asset.token, "video"))
            #expect(Set(names) == ["0.ts", "media.m3u8"])
        }
    }

    @Test(
        "after a kill, and the next run deletes the remains, even if the segment then comes without a disguise"
    )
    func leftBehind() async throws {
        let folder = try TemporaryDirectory()
        var fixture = try StoreFixture(in: folder)
        let media = fixture.origin.serveStream("/v", count: 2)
        fixture.origin.fault("/v/s1.ts", .status(403))
        let token = try await fixture.download("/v/index.m3u8").token
        await fixture.store.stop()
        for name in [".1.ts.part", ".1.ts.part.new"] {
            try DurableWrite.write([1, 2, 3], to: fixture.path(token, "video/\(name)"))
        }
        fixture.origin.clearFaults("/v/s1.ts")
        fixture = try StoreFixture(in: folder, origin: fixture.origin)
        try await fixture.store.perform(.resume, on: token)
        await fixture.store.untilSettled(token)
        try await expect(media[1], in: "video/1.ts", of: fixture.store.reader.requireAsset(token), fixture)
        await fixture.store.stop()
    }

    @Test("a tag before packed audio is a part of it, and stays")
    func audioTag() async throws {
        try await StoreFixture.run { fixture async throws in
            let media = SampleMedia.id3(73) + SampleMedia.adts([300, 301, 302])
            fixture.origin.serve("/v/s.aac", bytes: media)
            fixture.origin.serve("/v/index.m3u8", text: Playlists.media(["s.aac"]))
            let asset = try await fixture.download("/v/index.m3u8")
            try await expect(media, in: "video/0.aac", of: asset, fixture)
        }
    }
}
