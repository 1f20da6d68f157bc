import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// Segments that came before the initialization section that tells what they have to be.
@Suite("A segment that came before its initialization section", .timeLimit(.minutes(2)))
struct LateSectionTests {
    /// Serves three fragments with a section of H.264.
    private func serve(_ origin: OriginServer, second: [UInt8]) {
        origin.serve("/v/i.mp4", bytes: SampleMedia.movie([(1, "vide", SampleMedia.avcEntry())]))
        for number in 0..<3 {
            let bytes = number == 1 ? second : SampleMedia.avcSample()
            origin.serve("/v/s\(number).m4s", bytes: SampleMedia.fragment([bytes]))
        }
        let text = Playlists.media(["s0.m4s", "s1.m4s", "s2.m4s"], tags: "#EXT-X-MAP:URI=\"i.mp4\"\n")
        origin.serve("/v/index.m3u8", text: text)
    }

    private func expectRefused(_ asset: Asset, _ fixture: StoreFixture) throws {
        #expect(asset.state == .failed)
        #expect(asset.failure?.message.contains("its samples are not H.264") == true)
        #expect(asset.failure?.message.contains("/v/s1.m4s") == true)
        #expect(try fixture.stored(asset.token, "video/0.m4s") != nil)
        #expect(try fixture.stored(asset.token, "video/1.m4s") == nil)
        #expect(asset.renditions.first?.storedSegments == 2 && !asset.availability.offline)
    }

    @Test("is refused when the section arrives in the same run and contradicts it")
    func sameRun() async throws {
        try await StoreFixture.run { fixture async throws in
            serve(fixture.origin, second: SampleMedia.hevcSample())
            fixture.origin.fault("/v/i.mp4", .status(404), times: 1)
            try expectRefused(try await fixture.download("/v/index.m3u8"), fixture)
        }
    }

    @Test("is refused when the section arrives in a later run and contradicts it")
    func laterRun() async throws {
        try await StoreFixture.run { fixture async throws in
            serve(fixture.origin, second: SampleMedia.hevcSample())
            fixture.origin.fault("/v/i.mp4", .status(404))
            let token = try await fixture.download("/v/index.m3u8").token
            fixture.origin.clearFaults("/v/i.mp4")
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            try expectRefused(try fixture.store.reader.requireAsset(token), fixture)
        }
    }

    @Test("is fetched once if the section then explains it")
    func sound() async throws {
        try await StoreFixture.run { fixture async throws in
            serve(fixture.origin, second: SampleMedia.avcSample())
            fixture.origin.fault("/v/i.mp4", .status(404), times: 1)
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .complete && asset.availability.offline)
            for number in 0..<3 {
                #expect(fixture.origin.requests(for: "/v/s\(number).m4s").count == 1)
            }
        }
    }
}
