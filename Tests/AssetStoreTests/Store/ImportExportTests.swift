import Foundation
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
@testable import StoreReading

/// Plain HLS folders in and out.
struct ImportExportTests {
    /// A folder with an encrypted variant, an audio rendition and a poster.
    private func folder() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        try folder.write([0xFF, 0xD8, 0xFF, 1, 2], to: "hls/poster.jpg")
        let key = Secret.key(OriginResource.pattern(16, seed: 7777))
        try folder.write(key, to: "hls/keys/one key.bin")
        for number in 0..<3 {
            let media = Media.ts(5, seed: UInt64(number))
            let encrypted = SampleMedia.encrypted(media, key: key, number: number)
            try folder.write(encrypted, to: "hls/v/seg \(number).ts")
            try folder.write(media, to: "hls/a/\(number).ts")
        }
        let tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"../keys/one%20key.bin\"\n"
        try write(
            Playlists.media(["seg%200.ts", "seg%201.ts", "seg%202.ts"], tags: tags), folder, "v/index.m3u8")
        try write(Playlists.media(["0.ts", "1.ts", "2.ts"]), folder, "a/index.m3u8")
        try write(
            Playlists.master(
                Playlists.rendition("AUDIO", "a", "en", "a/index.m3u8", "DEFAULT=YES"),
                Playlists.variant("v/index.m3u8", 900_000, "AUDIO=\"a\"")), folder, "master.m3u8")
        return folder
    }

    private func write(_ text: String, _ folder: TemporaryDirectory, _ name: String) throws {
        try folder.write(Array(text.utf8), to: "hls/\(name)")
    }

    private func refusal(_ fixture: StoreFixture, _ path: String) async throws -> String? {
        let error = await failure { _ = try await fixture.store.imports.add(FilePath(path)) }
        #expect(try fixture.isEmpty)
        return error?.message
    }

    @Test("a folder becomes a complete asset with everything it has, fetching nothing")
    func imported() async throws {
        try await StoreFixture.run { fixture async throws in
            let source = try folder()
            let token = try await fixture.store.imports.add(FilePath(source.file("hls"))).token
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(asset.leftOut == [], "nobody named what the folder has not got")
            #expect(asset.name == "hls")
            #expect(asset.renditions.map(\.name) == ["video", "audio-en"])
            #expect(try fixture.stored(token, "video/1.ts") == source.read("hls/v/seg 1.ts"))
            #expect(try fixture.stored(token, "poster.jpg") == source.read("hls/poster.jpg"))
            #expect(try fixture.contentKey(token, "k0") == OriginResource.pattern(16, seed: 7777))
            #expect(try await fixture.store.verify(token).isSound)
            #expect(fixture.origin.requests.isEmpty)
        }
    }

    @Test("an import that was interrupted is being removed, and waits for no engine to continue it")
    func interrupted() async throws {
        let (place, source) = (try TemporaryDirectory(), try folder())
        let fixture = try StoreFixture(in: place)
        let token = try await fixture.store.imports.add(FilePath(source.file("hls"))).token
        try fixture.store.catalog.write(.store) { session in
            try session.execute("UPDATE asset SET state = 'resolving' WHERE token = ?", [token.description])
        }
        await fixture.store.stop()
        let asset = try StoreReader(root: fixture.root).requireProgress(of: token)
        #expect(asset.state == .removing && asset.wait == nil)
        let next = try StoreFixture(in: place)
        try await eventually { try next.store.reader.progress(of: token) == nil }
        await next.store.stop()
    }

    @Test("an exported asset imported again has the same segments, keys and renditions")
    func roundTrip() async throws {
        try await StoreFixture.run { fixture async throws in
            let source = try folder()
            let first = try await fixture.store.imports.add(FilePath(source.file("hls")), name: "Film").token
            let target = FilePath(source.file("out/export"))
            let exported = try fixture.store.reader.exporter.export(first, to: target, withKeys: true)
            #expect(exported.files == FileSystem.tree(target).count && exported.leftOut.isEmpty)
            let second = try await fixture.store.imports.add(target, name: "Film").token
            for name in ["video", "audio-en"] {
                let hashes = try [first, second].map { try fixture.units($0, name).map(\.sha256) }
                #expect(hashes[0] == hashes[1])
                #expect(hashes[0].count == 3)
                #expect(
                    try fixture.stored(first, "\(name)/media.m3u8")
                        == fixture.stored(second, "\(name)/media.m3u8"))
            }
            #expect(
                try fixture.contentKey(first, "k0")
                    == fixture.contentKey(second, "k0"))
            #expect(try fixture.master(first) == fixture.master(second))
        }
    }

    @Test("without its keys an export holds none")
    func withoutKeys() async throws {
        try await StoreFixture.run { fixture async throws in
            let source = try folder()
            let token = try await fixture.store.imports.add(FilePath(source.file("hls"))).token
            let target = FilePath(source.file("export"))
            try fixture.store.reader.exporter.export(token, to: target, withKeys: false)
            let key = OriginResource.pattern(16, seed: 7777)
            for file in FileSystem.tree(target) {
                #expect(try DurableWrite.read(file)?.firstRange(of: key) == nil)
            }
        }
    }

    @Test(
        "with its keys, an export has and names those that can be used, and none of a key system that is not there, or can't be unsealed",
        arguments: [false, true])
    func keySystem(_ isClosed: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            let system = #"METHOD=SAMPLE-AES,URI="https://license.invalid/x",KEYFORMAT="com.example""#
            origin.serve("/k.key", bytes: Licensed.key)
            origin.serveStream(
                "/v", tags: "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"/k.key\"\n#EXT-X-KEY:\(system)\n")
            origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    "#EXT-X-SESSION-KEY:\(system)", Playlists.variant("v/index.m3u8", 900_000)))
            let token = try await fixture.download("/master.m3u8").token
            #expect(try fixture.store.reader.keyOutlines(of: token).map(\.isStored) == [true, false])
            if isClosed {
                try fixture.store.catalog.write(.store) { session in
                    try session.execute("UPDATE content_key SET sealed = x'00' WHERE id = 'k1'")
                }
            }
            let target = FilePath(fixture.folder.file("exported"))
            let exported = try fixture.store.reader.exporter.export(
                token, to: target, withKeys: true, keysFor: fixture.store.reader.publicKey())
            #expect(exported.files == FileSystem.tree(target).count)
            let sealed = try SealedKeys.read(target)?.content(fixture.store.parts.vault)
            #expect(sealed?.keys.map(\.id) == ["k0"])
            #expect(FileSystem.names(in: target.appending("keys")) == ["k0.key"])
            for name in ["master.m3u8", "video/media.m3u8"] {
                let text = String(
                    decoding: try DurableWrite.read(target.pushing(FilePath(name))) ?? [], as: UTF8.self)
                #expect(!text.isEmpty && !text.contains("k1.key"), "\(name)")
            }
            let copy = try await fixture.store.imports.add(target).token
            #expect(try fixture.store.reader.requireAsset(copy).availability.offline)
        }
    }

    @Test("a missing poster is left out of an export with a warning; an unreadable one is an error")
    func poster() async throws {
        try await StoreFixture.run { fixture async throws in
            let source = try folder()
            let token = try await fixture.store.imports.add(FilePath(source.file("hls"))).token
            let poster = fixture.path(token, "poster.jpg")
            try FileSystem.unlink(poster)
            let target = FilePath(source.file("export"))
            let exported = try fixture.store.reader.exporter.export(token, to: target, withKeys: true)
            #expect(exported.leftOut == ["poster.jpg"])
            #expect(exported.files == FileSystem.tree(target).count)
            let master = try DurableWrite.read(target.appending("master.m3u8")) ?? []
            #expect(!master.isEmpty && !String(decoding: master, as: UTF8.self).contains("poster"))
            let copy = try await fixture.store.imports.add(target).token
            #expect(try fixture.store.reader.requireAsset(copy).availability.offline)
            try FileSystem.makeDirectory(poster)
            let error = await failure {
                try fixture.store.reader.exporter.export(
                    token, to: FilePath(source.file("again")), withKeys: true)
            }
            #expect(error?.errorClass == .disk)
        }
    }

    @Test("nothing is exported onto something, nor an asset that is not whole")
    func exportRefused() async throws {
        try await StoreFixture.run { fixture async throws in
            let source = try folder()
            let token = try await fixture.store.imports.add(FilePath(source.file("hls"))).token
            let taken = FilePath(source.file("hls"))
            let onto = await failure {
                try fixture.store.reader.exporter.export(token, to: taken, withKeys: false)
            }
            #expect(onto?.errorClass == .disk)
            try FileSystem.unlink(fixture.path(token, "video/1.ts"))
            let target = FilePath(source.file("export"))
            let partial = await failure {
                try fixture.store.reader.exporter.export(token, to: target, withKeys: false)
            }
            #expect(partial?.errorClass == .usage)
            #expect(FileSystem.facts(target) == nil)
        }
    }

    @Test("changed bytes are not exported: their files are named and known as damaged, and nothing is left")
    func changedBytes() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            let token = try await fixture.download("/v/index.m3u8").token
            let file = try FileDescriptor.open(fixture.path(token, "video/1.ts"), .writeOnly)
            _ = try file.writeAll(toAbsoluteOffset: 300, [1, 2, 3, 4])
            try file.close()
            let target = FilePath(fixture.folder.file("out"))
            let error = await failure {
                try fixture.store.reader.exporter.export(token, to: target, withKeys: false)
            }
            #expect(error?.code.name == "integrity" && error?.message.contains("video/1.ts") == true)
            #expect(FileSystem.isAbsent(target))
            try await eventually {
                try fixture.store.reader.requireAsset(token).health.level == .damaged
            }
        }
    }

    @Test("a rendition whose files can't be listed makes an export fail")
    func unlisted() async throws {
        let source = try TemporaryDirectory()
        let place = FilePath(try source.write([1], to: "video"))
        let target = FilePath(source.file("export"))
        let error = await failure { _ = try AssetExporter.copyFolder(place, to: target) }
        #expect(error?.errorClass == .disk)
    }

    @Test(
        "paths out of the folder are refused, and leave no files",
        arguments: [
            "../../secret.ts", "/etc/passwd", "%2e%2e/%2e%2e/secret.ts", "file:///etc/passwd",
            "http://127.0.0.1:1/a.ts",
            "x/../../../secret.ts", "//127.0.0.1/a.ts",
        ])
    func outside(_ uri: String) async throws {
        try await StoreFixture.run { fixture async throws in
            let source = try folder()
            try source.write(Media.ts(1), to: "secret.ts")
            try write(Playlists.media(["0.ts", uri]), source, "a/index.m3u8")
            let message = try await refusal(fixture, source.file("hls"))
            #expect(
                message?.contains("outside of the folder") == true
                    || message?.contains("not in the folder") == true)
        }
    }

    @Test("a link that leads out of the folder is not followed")
    func linkOutside() async throws {
        try await StoreFixture.run { fixture async throws in
            let source = try folder()
            let secret = try source.write(Media.ts(1), to: "secret.ts")
            try FileManager.default.removeItem(atPath: source.file("hls/a/1.ts"))
            try FileManager.default.createSymbolicLink(
                atPath: source.file("hls/a/1.ts"), withDestinationPath: secret)
            #expect(try await refusal(fixture, source.file("hls")) != nil)
        }
    }

    @Test("a folder that lacks a segment, a playlist or any playlist is refused, and nothing is left behind")
    func incomplete() async throws {
        try await StoreFixture.run { fixture async throws in
            let source = try folder()
            try FileManager.default.removeItem(atPath: source.file("hls/a/2.ts"))
            #expect(try await refusal(fixture, source.file("hls"))?.contains("2.ts") == true)
            try FileManager.default.removeItem(atPath: source.file("hls/v/index.m3u8"))
            #expect(try await refusal(fixture, source.file("hls"))?.contains("index.m3u8") == true)
            try FileManager.default.removeItem(atPath: source.file("hls/master.m3u8"))
            #expect(try await refusal(fixture, source.file("hls"))?.contains("no playlist") == true)
            #expect(try await refusal(fixture, source.file("nowhere")) != nil)
        }
    }

    @Test("a range beyond the end of its file is refused")
    func shortFile() async throws {
        try await StoreFixture.run { fixture async throws in
            let source = try TemporaryDirectory()
            try source.write(Media.ts(1), to: "hls/all.ts")
            try write(
                "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n#EXT-X-BYTERANGE:188@100\nall.ts\n#EXT-X-ENDLIST\n",
                source, "index.m3u8")
            let message = try await refusal(fixture, source.file("hls"))
            #expect(message?.hasPrefix("88 bytes came instead of 188") == true)
        }
    }

    @Test("of several playlists the file itself has to be named")
    func severalPlaylists() async throws {
        try await StoreFixture.run { fixture async throws in
            let source = try TemporaryDirectory()
            try source.write(Media.ts(2), to: "hls/0.ts")
            for name in ["one.m3u8", "two.m3u8"] { try write(Playlists.media(["0.ts"]), source, name) }
            #expect(try await refusal(fixture, source.file("hls"))?.contains("several playlists") == true)
            let token = try await fixture.store.imports.add(FilePath(source.file("hls/two.m3u8"))).token
            #expect(try fixture.store.reader.requireAsset(token).availability.offline)
        }
    }
}
