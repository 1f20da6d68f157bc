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
@testable import StorePlanning
@testable import StoreReading

@Suite("An asset is useless without keys", .timeLimit(.minutes(2)))
struct KeyNeedTests {
    private func takesKeys(_ fixture: StoreFixture, _ token: AssetToken) throws -> Bool {
        try fixture.store.reader.takesKeys(token)
    }

    @Test("if its playlists name some, and also if only its segments tell that they are encrypted")
    func segments() async throws {
        try await StoreFixture.run { fixture async throws in
            Licensed.serve(on: fixture.origin)
            let token = try await fixture.download("/master.m3u8").token
            #expect(try !fixture.store.reader.keyOutlines(of: token).isEmpty)
            #expect(try takesKeys(fixture, token))
            try fixture.store.catalog.write(.store) { session in
                try session.execute("DELETE FROM content_key")
            }
            #expect(try fixture.store.reader.keyOutlines(of: token).isEmpty)
            #expect(try takesKeys(fixture, token))
        }
    }

    @Test("if its initialization sections describe encrypted samples, also if its playlists name no key")
    func samples() async throws {
        try await StoreFixture.run { fixture async throws in
            for name in ["cenc-v-init.mp4", "cenc-v1.m4s"] {
                fixture.origin.serve("/\(name)", bytes: try SampleMedia.file(name))
            }
            let tags = "#EXT-X-MAP:URI=\"cenc-v-init.mp4\"\n"
            fixture.origin.serve("/index.m3u8", text: Playlists.media(["cenc-v1.m4s"], tags: tags))
            let token = try await fixture.download("/index.m3u8") { $0.allowsMissingKeys = true }.token
            #expect(try fixture.store.reader.keyOutlines(of: token).isEmpty)
            #expect(try takesKeys(fixture, token))
        }
    }

    @Test("but not if it is in the clear, also when a key was added")
    func clear() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.download("/v/index.m3u8").token
            #expect(try !takesKeys(fixture, token))
            let identifier = [UInt8](1...16)
            try fixture.store.licenses.addKey(Licensed.key, identifier: identifier, to: token)
            #expect(try fixture.store.reader.keyOutlines(of: token).count == 1)
            #expect(try !takesKeys(fixture, token))
        }
    }
}
