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

/// Renditions that an asset gets later, or loses.
@Suite(.timeLimit(.minutes(2)))
struct TrackTests {
    /// A stream with two variants, two audio languages, subtitles and I-frames.
    private func publish(_ origin: OriginServer, _ folder: String = "", count: Int = 3) {
        for (name, seed) in [("hi", 1), ("lo", 100), ("en", 200), ("fr", 300), ("i", 400)] {
            origin.serveStream("\(folder)/\(name)", count: count, seed: UInt64(seed))
        }
        origin.serveSubtitles("\(folder)/de")
        origin.serve(
            "\(folder)/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("AUDIO", "a", "en", "en/index.m3u8", "DEFAULT=YES"),
                Playlists.rendition("AUDIO", "a", "fr", "fr/index.m3u8"),
                Playlists.rendition("AUDIO", "b", "en", "en/index.m3u8", "DEFAULT=YES"),
                Playlists.rendition("SUBTITLES", "s", "de", "de/index.m3u8"),
                Playlists.variant(
                    "hi/index.m3u8", 900_000, #"RESOLUTION=640x360,AUDIO="a",SUBTITLES="s""#),
                Playlists.variant("lo/index.m3u8", 300_000, #"RESOLUTION=320x180,AUDIO="b""#),
                #"#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,RESOLUTION=320x180,URI="i/index.m3u8""#))
    }

    private func small(_ fixture: StoreFixture) async throws -> AssetToken {
        publish(fixture.origin)
        let asset = try await fixture.download("/master.m3u8") { $0.selection.subtitles = .none }
        #expect(asset.renditions.map(\.name) == ["video-360p", "audio-en"])
        fixture.origin.forgetRequests()
        return asset.token
    }

    private func selection(_ change: (inout Selection) -> Void) -> Selection {
        var selection = Selection()
        change(&selection)
        return selection
    }

    private var everything: Selection {
        selection {
            ($0.allVariants, $0.audio, $0.subtitles, $0.trickPlay) = (true, .all, .all, true)
        }
    }

    @Test("audio, subtitles, a variant and I-frames come to a complete asset, and only they are fetched")
    func difference() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await small(fixture)
            let added = try await fixture.store.addTracks(everything, to: token)
            #expect(
                Set(added.names) == [
                    "video-180p", "audio-fr", "subtitles-de", "iframes-180p",
                ])
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(asset.renditions.allSatisfy { $0.isComplete })
            #expect(!fixture.origin.paths.contains { $0.hasPrefix("/hi/s") || $0.hasPrefix("/en/s") })
            #expect(fixture.origin.paths.count { $0.hasPrefix("/fr/s") } == 3)
            let master = try fixture.master(token)
            #expect(master.contains("video-180p/media.m3u8") && master.contains("audio-fr/media.m3u8"))
            #expect(try await fixture.store.verify(token).isSound)
        }
    }

    @Test("adding present tracks changes nothing, and fetches no media")
    func twice() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await small(fixture)
            let wish = selection { $0.audio = .matching(["fr"]) }
            #expect(try await fixture.store.addTracks(wish, to: token).names == ["audio-fr"])
            await fixture.store.untilSettled(token)
            fixture.origin.forgetRequests()
            let event = try fixture.store.reader.lastEvent()
            #expect(try await fixture.store.addTracks(wish, to: token).names.isEmpty)
            #expect(try fixture.store.reader.lastEvent() == event)
            #expect(!fixture.origin.paths.contains { $0.hasSuffix(".ts") })
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        }
    }

    @Test(
        "stored tracks play offline while new tracks are downloaded, and playlists do not list the new ones yet"
    )
    func playableMeanwhile() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await small(fixture)
            fixture.origin.fault("/lo/s1.ts", .holdHeader, times: 1)
            _ = try await fixture.store.addTracks(selection { $0.maximumHeight = 180 }, to: token)
            try await eventually { !fixture.origin.requests(for: "/lo/s1.ts").isEmpty }
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .downloading || asset.state == .queued)
            #expect(asset.availability.offline)
            #expect(try !fixture.master(token).contains("video-180p"))
            fixture.origin.release()
            await fixture.store.untilSettled(token)
            #expect(try fixture.master(token).contains("video-180p"))
        }
    }

    @Test("an export during an addition has and lists only complete tracks, and can be imported")
    func exportedMeanwhile() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await small(fixture)
            fixture.origin.fault("/fr/s1.ts", .holdHeader, times: 1)
            _ = try await fixture.store.addTracks(selection { $0.audio = .all }, to: token)
            try await eventually { !fixture.origin.requests(for: "/fr/s1.ts").isEmpty }
            let folder = FilePath(fixture.folder.file("exported"))
            let exported = try fixture.store.reader.exporter.export(token, to: folder, withKeys: false)
            fixture.origin.release()
            #expect(exported.leftOut == ["audio-fr"])
            #expect(
                Set(FileSystem.names(in: folder)) == ["asset.json", "master.m3u8", "video-360p", "audio-en"])
            let copy = try fixture.store.reader.requireAsset(
                try await fixture.store.imports.add(folder).token)
            #expect(copy.renditions.map(\.name) == ["video-360p", "audio-en"])
            #expect(copy.availability.offline)
        }
    }

    @Test("tracks that come to a running download are part of it, and nothing is fetched twice")
    func running() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin, count: 12)
            fixture.origin.fault("*", .delay(milliseconds: 2))
            let token = try await fixture.add("/master.m3u8")
            _ = try await fixture.store.addTracks(selection { $0.audio = .all }, to: token)
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.renditions.contains { $0.name == "audio-fr" })
            #expect(asset.renditions.allSatisfy { !$0.hasPlaylist || $0.isComplete })
        }
    }

    @Test("a paused asset stays paused and gets the tracks when it is resumed")
    func paused() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            let token = try await fixture.add("/master.m3u8") { $0.isPreload = true }
            _ = try await fixture.store.addTracks(selection { $0.audio = .all }, to: token)
            #expect(try fixture.store.reader.requireAsset(token).state == .paused)
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).renditions.allSatisfy { $0.isComplete })
        }
    }

    @Test("a cancel while tracks are being added holds, and leaves nothing of them")
    func cancelled() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            fixture.origin.fault("/hi/s1.ts", .holdHeader)
            let token = try await fixture.add("/master.m3u8") { $0.selection.subtitles = .none }
            try await eventually { !fixture.origin.requests(for: "/hi/s1.ts").isEmpty }
            fixture.origin.fault("/fr/index.m3u8", .holdHeader)
            let adding = Task {
                await failure {
                    _ = try await fixture.store.addTracks(selection { $0.audio = .all }, to: token)
                }
            }
            try await eventually { !fixture.origin.requests(for: "/fr/index.m3u8").isEmpty }
            try await fixture.store.perform(.cancel, on: token)
            fixture.origin.release()
            let error = await adding.value
            #expect(error?.text == #"wrongState(.cancelled, wanted: "given tracks")"#)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .cancelled)
            #expect(asset.renditions.map(\.name) == ["video-360p", "audio-en"])
            #expect(!FileSystem.names(in: fixture.store.paths.asset(token)).contains("audio-fr"))
        }
    }

    @Test("a stream that has changed is refused, and the asset stays unchanged")
    func changed() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await small(fixture)
            fixture.origin.serve("/hi/index.m3u8", text: Playlists.media(["s0.ts", "s1.ts"]))
            let error = await failure {
                _ = try await fixture.store.addTracks(selection { $0.audio = .all }, to: token)
            }
            #expect(error?.text.hasPrefix(#"streamChanged("video-360p""#) == true)
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("AUDIO", "a", "fr", "fr/index.m3u8"),
                    Playlists.variant("hi/index.m3u8", 800_000, #"AUDIO="a""#)))
            let other = await failure {
                _ = try await fixture.store.addTracks(selection { $0.audio = .all }, to: token)
            }
            #expect(other?.text.hasPrefix(#"streamChanged("video-360p""#) == true)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.renditions.count == 2)
            #expect(
                Set(FileSystem.names(in: fixture.store.paths.asset(token))) == ["video-360p", "audio-en"])
        }
    }

    @Test("tracks that the stream lacks are refused with those that it has")
    func nothing() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await small(fixture)
            let error = await failure {
                _ = try await fixture.store.addTracks(
                    selection { $0.audio = .matching(["ja"]) }, to: token)
            }
            #expect(error?.message.contains("en, fr") == true)
        }
    }

    @Test("a subtitle file can be added to an asset whose stream is gone")
    func file() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await small(fixture)
            fixture.origin.remove("/master.m3u8")
            fixture.origin.serve("/x.srt", text: "1\n00:00:01,000 --> 00:00:02,000\nHallo\n")
            let source = SubtitleSource(source: fixture.origin.url("/x.srt"), language: "de")
            let added = try await fixture.store.addTracks(nil, subtitleFiles: [source], to: token)
            #expect(added.names == ["subtitles-de"])
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        }
    }

    @Test("a fresh address serves added tracks, too")
    func relinked() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await small(fixture)
            publish(fixture.origin, "/new")
            for number in 0..<3 { fixture.origin.fault("/fr/s\(number).ts", .status(403)) }
            _ = try await fixture.store.addTracks(selection { $0.audio = .matching(["fr"]) }, to: token)
            await fixture.store.untilSettled(token)
            try await fixture.store.relink(token, to: fixture.origin.url("/new/master.m3u8"))
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).renditions.allSatisfy { $0.isComplete })
            #expect(fixture.origin.paths.count { $0.hasPrefix("/new/fr/s") } == 3)
        }
    }

    @Test(
        "a rendition that is removed is gone from rows, files and playlists; added again it is fetched again")
    func removed() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await small(fixture)
            _ = try await fixture.store.addTracks(everything, to: token)
            await fixture.store.untilSettled(token)
            try await fixture.store.removeTracks(["audio-fr", "video-180p"], from: token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(!asset.renditions.contains { ["audio-fr", "video-180p"].contains($0.name) })
            #expect(try !fixture.master(token).contains("audio-fr"))
            await fixture.store.untilDisposed()
            #expect(!FileSystem.names(in: fixture.store.paths.asset(token)).contains("audio-fr"))
            fixture.origin.forgetRequests()
            _ = try await fixture.store.addTracks(selection { $0.audio = .matching(["fr"]) }, to: token)
            await fixture.store.untilSettled(token)
            #expect(fixture.origin.paths.count { $0.hasPrefix("/fr/s") } == 3)
        }
    }

    @Test("removed tracks do not come back with a later addition, unless they are requested again")
    func removedForGood() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await small(fixture)
            let french = selection { $0.audio = .matching(["fr"]) }
            let german = selection { $0.subtitles = .all }
            _ = try await fixture.store.addTracks(french, to: token)
            try await fixture.store.removeTracks(["audio-fr"], from: token)
            #expect(try await fixture.store.addTracks(german, to: token).names == ["subtitles-de"])
            #expect(try await fixture.store.addTracks(french, to: token).names == ["audio-fr"])
        }
    }

    @Test("the main rendition can't be removed, nor the only audio; nothing is removed then")
    func main() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await small(fixture)
            for name in ["video-360p", "audio-en"] {
                let error = await failure {
                    try await fixture.store.removeTracks([name], from: token)
                }
                #expect(error?.text == #"mainRendition("\#(name)")"#)
            }
            let error = await failure { try await fixture.store.removeTracks(["x"], from: token) }
            #expect(error?.text == #"noSuchRendition("x")"#)
            _ = try await fixture.store.addTracks(selection { $0.audio = .all }, to: token)
            await fixture.store.untilSettled(token)
            try await fixture.store.removeTracks(["audio-en"], from: token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.availability.offline)
            #expect(asset.renditions.filter(\.isRequired).map(\.name) == ["video-360p", "audio-fr"])
        }
    }
}

/// Keys of renditions that come later, or go.
@Suite(.timeLimit(.minutes(2)))
struct TrackKeyTests {
    private func publish(_ origin: OriginServer) {
        origin.serveStream("/v", count: 2)
        for (name, seed) in [("en", 1), ("fr", 2)] {
            let key = OriginResource.pattern(16, seed: UInt64(seed))
            origin.serve("/\(name).key", bytes: key)
            origin.serve("/\(name)/s0.ts", bytes: SampleMedia.encrypted(Media.ts(8), key: key, number: 0))
            origin.serve(
                "/\(name)/index.m3u8",
                text: Playlists.media(
                    ["s0.ts"], tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"/\(name).key\"\n"))
        }
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("AUDIO", "a", "en", "en/index.m3u8", "DEFAULT=YES"),
                Playlists.rendition("AUDIO", "a", "fr", "fr/index.m3u8"),
                Playlists.variant("v/index.m3u8", 900_000, #"AUDIO="a""#)))
    }

    private var french: Selection {
        var selection = Selection()
        selection.audio = .matching(["fr"])
        return selection
    }

    @Test("keys of new tracks have the present license, and are deleted with the tracks")
    func license() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            let token = try await fixture.download("/master.m3u8") {
                $0.license = LicenseTerms(rental: 3600)
            }.token
            let before = try fixture.store.reader.requireAsset(token).license
            _ = try await fixture.store.addTracks(french, to: token)
            await fixture.store.untilSettled(token)
            let after = try fixture.store.reader.requireAsset(token).license
            #expect(after.state == .valid && after.expiry == before.expiry)
            #expect(try fixture.contentKey(token, "k1") == OriginResource.pattern(16, seed: 2))
            #expect(fixture.origin.requests(for: "/en.key").count == 1)
            try await fixture.store.removeTracks(["audio-fr"], from: token)
            #expect(try fixture.contentKey(token, "k1") == nil)
            #expect(try fixture.contentKey(token, "k0") == OriginResource.pattern(16, seed: 1))
        }
    }

    @Test("a license that was revoked brings no more keys")
    func revoked() async throws {
        try await StoreFixture.run { fixture async throws in
            publish(fixture.origin)
            let token = try await fixture.download("/master.m3u8").token
            try fixture.store.licenses.revoke(token)
            let error = await failure { _ = try await fixture.store.addTracks(french, to: token) }
            guard case .license(.revoked, _)? = error?.code else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
            #expect(fixture.origin.requests(for: "/fr.key").isEmpty)
        }
    }
}
