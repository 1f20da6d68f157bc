import Foundation
import Locking
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("The import of a folder", .timeLimit(.minutes(1)))
struct FolderImportTests {
    /// Writes a media playlist of so many segments.
    private func write(_ fixture: StoreFixture, _ name: String, segments: Int, tags: String = "") throws {
        for number in 0..<segments {
            try fixture.folder.write(Media.ts(3, seed: UInt64(number)), to: "hls/\(number).ts")
        }
        let text = Playlists.media((0..<segments).map { "\($0).ts" }, tags: tags)
        try fixture.folder.write(Array(text.utf8), to: "hls/\(name)")
    }

    private func add(_ fixture: StoreFixture, _ name: String = "hls", as title: String? = nil) async throws
        -> Asset
    {
        let path = FilePath(fixture.folder.file(name))
        let added = try await fixture.store.imports.add(path, name: title)
        return try fixture.store.reader.requireAsset(added.token)
    }

    @Test("takes the playlist with the first of the usual names, or else the only one")
    func playlist() async throws {
        try await StoreFixture.run { fixture async throws in
            func segments() async throws -> Int { try await add(fixture).renditions[0].segments }
            try write(fixture, "film.m3u", segments: 1)
            #expect(try await segments() == 1)
            try fixture.folder.write([1], to: "hls/notes.txt")
            try write(fixture, "playlist.m3u8", segments: 2)
            #expect(try await segments() == 2)
            try write(fixture, "index.m3u8", segments: 3)
            #expect(try await segments() == 3)
            try write(fixture, "master.m3u8", segments: 4)
            #expect(try await segments() == 4)
            #expect(try await add(fixture, "hls/film.m3u").renditions[0].segments == 1)
        }
    }

    @Test("is refused with the reason if there is no single playlist, or no file")
    func refused() async throws {
        try await StoreFixture.run { fixture async throws in
            func refusal(_ name: String) async -> String {
                let path = FilePath(fixture.folder.file(name))
                let error = await failure { _ = try await fixture.store.imports.add(path) }
                return error?.message ?? ""
            }
            try FileSystem.makeDirectory(FilePath(fixture.folder.file("hls")))
            #expect(await refusal("hls").contains("has no playlist"))
            try fixture.folder.write([1], to: "hls/0.ts")
            #expect(await refusal("hls").contains("has no playlist"))
            try write(fixture, "one.m3u8", segments: 1)
            try write(fixture, "two.m3u8", segments: 1)
            #expect(await refusal("hls").contains("has several playlists and no master.m3u8"))
            #expect(await refusal("nowhere").contains("there is no file or folder"))
            #expect(try fixture.isEmpty)
        }
    }

    @Test("names the asset as told, or by its title, or by its folder")
    func names() async throws {
        try await StoreFixture.run { fixture async throws in
            try write(fixture, "v.m3u8", segments: 1)
            #expect(try await add(fixture).name == "hls")
            let title = #"#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.title",VALUE="A film""#
            let text = Playlists.master(title, Playlists.variant("v.m3u8", 100_000))
            try fixture.folder.write(Array(text.utf8), to: "hls/master.m3u8")
            #expect(try await add(fixture).name == "A film")
            #expect(try await add(fixture, as: "Mine").name == "Mine")
            #expect(try await add(fixture, "hls/v.m3u8").name == "hls")
        }
    }

    @Test("takes a poster of any usual kind, a JPEG before others")
    func poster() async throws {
        try await StoreFixture.run { fixture async throws in
            try write(fixture, "index.m3u8", segments: 1)
            let none = try await add(fixture).token
            let names = FileSystem.names(in: fixture.store.paths.asset(none))
            #expect(!names.isEmpty && !names.contains { $0.hasPrefix("poster") })
            let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2]
            try fixture.folder.write(png, to: "hls/poster.png")
            let one = try await add(fixture).token
            #expect(try fixture.stored(one, "poster.png") == png)
            let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2]
            try fixture.folder.write(jpeg, to: "hls/poster.jpg")
            let both = try await add(fixture).token
            #expect(try fixture.stored(both, "poster.jpg") == jpeg)
            #expect(try fixture.stored(both, "poster.png") == nil)
        }
    }

    @Test("continues the license of sealed keys; without keys it grants none", arguments: [true, false])
    func sealed(hasKeys: Bool) async throws {
        try await StoreFixture.run {
            $0.clock = ManualClock()
        } _: { fixture async throws in
            try write(fixture, "index.m3u8", segments: 1)
            let key = Secret.key(OriginResource.pattern(16, seed: 812))
            let identifier = [UInt8](repeating: 7, count: 16)
            let sealed = SealedKeys.Key(
                id: "id-07", address: "kid:07", bytes: Secret.base64(key),
                identifier: Secret.base64(identifier))
            let now: Int64 = 1_700_000_000_000
            let terms = SealedKeys.Terms(
                rental: 1000, requestedAt: Timestamp(milliseconds: now),
                expiresAt: Timestamp(milliseconds: now + 500_000))
            let content = SealedKeys.Content(keys: hasKeys ? [sealed] : [], license: terms)
            let store = fixture.store
            let document = try SealedKeys(content, for: store.parts.vault.publicKey)
            try fixture.folder.write(
                Array(try JSONText.encode(document).utf8), to: "hls/\(SealedKeys.fileName)")
            let token = try await add(fixture).token
            let license = try store.catalog.licenses.license(of: token)
            #expect(license?.expiresAt?.milliseconds == (hasKeys ? now + 500_000 : nil))
            #expect((license != nil) == hasKeys)
            let keys = try store.catalog.renditions.keys(of: token)
            #expect(keys.map(\.identifier) == (hasKeys ? [identifier] : []))
        }
    }

    @Test("writes segments to the catalog in groups of the largest size, and what is left at the end")
    func groups() async throws {
        try await StoreFixture.run { fixture async throws in
            let largest = SegmentCommitter.largestGroup
            try write(fixture, "index.m3u8", segments: largest + 2)
            let groups = Lock<[Int]>([])
            fixture.store.onStored { files in groups.withLock { $0.append(files.count) } }
            let asset = try await add(fixture)
            #expect(groups.withLock(\.self) == [largest, 2])
            #expect(asset.renditions[0].storedSegments == largest + 2)
        }
    }

    @Test("refuses a segment that is shorter than its byte range, and leaves no asset")
    func shortRange() async throws {
        try await StoreFixture.run { fixture async throws in
            try write(fixture, "index.m3u8", segments: 1, tags: "#EXT-X-BYTERANGE:188@0\n")
            #expect(try await add(fixture).storedBytes == 188)
            try write(fixture, "index.m3u8", segments: 1, tags: "#EXT-X-BYTERANGE:188@377\n")
            let path = FilePath(fixture.folder.file("hls"))
            let error = await failure { _ = try await fixture.store.imports.add(path) }
            #expect(error?.message.hasPrefix("187 bytes came instead of 188") == true)
            #expect(try fixture.store.reader.assets().count == 1)
        }
    }
}
