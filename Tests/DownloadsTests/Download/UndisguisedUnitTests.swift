import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("The compression of a unit that was not announced")
struct UndisguisedUnitTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func file(_ bytes: [UInt8]) throws -> PartialFile {
        let file = try PartialFile(creating: FilePath(folder.file("0.part")))
        if !bytes.isEmpty { try unsafe file.append(bytes.span.bytes) }
        return file
    }

    private func inspector(
        _ encryption: UnitEncryption = .none, kind: RenditionKind = .variant, container: ContainerFormat = .ts
    ) -> UnitInspector {
        let unit = UnitRecord(
            kind: .segment, number: 0, start: 0, duration: 4, url: "http://o/s", encryption: encryption)
        let row = RenditionRecord(
            name: "video", position: 0, kind: kind, required: true, listings: [], hasPlaylist: true,
            container: container, duration: 4, segments: 1)
        return UnitInspector(UnitJob(unit: unit, rendition: row))
    }

    /// Expects that nothing is taken off, and that the file has these bytes still.
    private func expectUntouched(_ bytes: [UInt8], _ inspector: UnitInspector) throws {
        let file = try file(bytes)
        let disguise = try inspector.decompressed(file)?.disguise
        #expect(disguise == nil)
        #expect(try file.read(at: 0, count: 1 << 20) == bytes)
        #expect(FileSystem.isAbsent(FilePath(folder.file("0.part.new"))))
    }

    @Test("is taken off, and the file has the media alone")
    func compressed() throws {
        let media = Media.ts(10)
        let file = try file(SampleMedia.compressed(media, .gzip))
        let fetched = try inspector().decompressed(file)
        #expect(fetched?.disguise == "gzip" && file.watermark == UInt64(media.count))
        #expect(try file.read(at: 0, count: 1 << 20) == media)
        #expect(FileSystem.isAbsent(FilePath(folder.file("0.part.new"))))
    }

    @Test("is not looked for in encrypted bytes", arguments: [UnitEncryption.blocks, .other])
    func encrypted(_ encryption: UnitEncryption) throws {
        let bytes = SampleMedia.compressed(Media.ts(10), .gzip)
        try expectUntouched(bytes, inspector(encryption))
        let disguise = try inspector(encryption).unwrapped(try file(bytes))?.disguise
        #expect(disguise == nil)
    }

    @Test("is not looked for where a picture is expected")
    func picture() throws {
        try expectUntouched(
            SampleMedia.compressed(Media.ts(10), .gzip), inspector(kind: .images, container: .jpg))
    }

    @Test("leaves a file as it is that is empty, or would be")
    func empty() throws {
        try expectUntouched([], inspector())
        try expectUntouched(SampleMedia.compressed([], .gzip), inspector())
    }

    @Test("leaves a file as it is that ends too early, or has no media in it")
    func unsound() throws {
        let bytes = SampleMedia.compressed(Media.ts(10), .gzip)
        try expectUntouched(Array(bytes.dropLast(20)), inspector())
        try expectUntouched(SampleMedia.compressed(Media.page, .gzip), inspector())
    }
}

@Suite("Segments that were stored before their initialization section", .timeLimit(.minutes(1)))
struct StrangerSegmentTests {
    @Test("are looked at again when that is stored, and no others are")
    func sections() async throws {
        try await StoreFixture.run { fixture async throws in
            let origin = fixture.origin
            for number in 0..<2 {
                origin.serve("/v/i\(number).mp4", bytes: Media.initialization(UInt64(number + 1)))
            }
            for number in 0..<4 {
                origin.serve("/v/m\(number).m4s", bytes: Media.fragment(UInt64(number + 1)))
            }
            let uris = (0..<4).map { "#EXT-X-MAP:URI=\"i\($0 / 2).mp4\"\nm\($0).m4s" }
            origin.serve("/v/index.m3u8", text: Playlists.media(uris))
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete)
            let catalog = fixture.store.catalog
            let row = try #require(try catalog.renditions.rendition(asset.token, "video"))
            try DurableWrite.write(Media.page, to: fixture.path(asset.token, "video/1.m4s"))
            let inspectors = UnitInspectors(
                asset.token, catalog: catalog, paths: fixture.store.paths, vault: nil)
            for (section, expected) in [(0, [1]), (1, [Int]())] {
                let unit = try #require(try catalog.units.unit(of: row.id, .initialization, section))
                let strangers = try inspectors.strangers(after: UnitJob(unit: unit, rendition: row))
                #expect(strangers.map(\.unit.number) == expected, "section \(section)")
            }
        }
    }
}

@Suite("The hash of a unit at its origin", .timeLimit(.minutes(1)))
struct UnitDigestTests {
    @Test("is that of its bytes, whole or a range; without these bytes there is none")
    func digest() async throws {
        try await StoreFixture.run { fixture async throws in
            let bytes = OriginResource.pattern(1000)
            fixture.origin.serve("/s.ts", bytes: bytes)
            var access = OriginAccess()
            access.isPrivate = true
            let origin = try Origin(
                loop: fixture.store.parts.loop, access: access, stream: fixture.origin.url("/index.m3u8"))
            var unit = UnitRecord(
                kind: .segment, number: 0, start: 0, duration: 4, url: fixture.origin.url("/s.ts"))
            let whole = try FilePieces.sha256(of: FilePath(fixture.folder.write(bytes, to: "whole")))
            #expect(await origin.digest(of: unit) == whole)
            unit.range = ClosedOffsetRange(offset: 100, length: 200)
            let part = Array(bytes[100..<300])
            let hash = try FilePieces.sha256(of: FilePath(fixture.folder.write(part, to: "part")))
            #expect(await origin.digest(of: unit) == hash)
            fixture.origin.fault("/s.ts", .ignoreRange, times: 1)
            #expect(await origin.digest(of: unit) == nil)
            for status in [403, 404, 503] {
                fixture.origin.fault("/s.ts", .status(status), times: 1)
                #expect(await origin.digest(of: unit) == nil)
            }
            unit.url = fixture.origin.url("/none.ts")
            unit.range = nil
            #expect(await origin.digest(of: unit) == nil)
        }
    }
}
