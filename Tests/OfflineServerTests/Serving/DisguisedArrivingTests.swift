import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

/// A disguised segment that is served while it arrives.
@Suite("Disguised segments that are arriving", .fewAtOnce, .timeLimit(.minutes(2)))
struct DisguisedArrivingTests {
    private static let stall = 30000
    private static let media = SampleStream.audio(0) + SampleMedia.box("free", OriginResource.pattern(60_000))

    /// Runs `body` when the origin holds back the rest of the first segment of audio.
    private func arriving(
        _ bytes: [UInt8], _ body: (Site, OriginServer, AssetToken, String) async throws -> Void
    ) async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.serve("/audio/0.m4s", bytes: bytes)
        origin.fault("/audio/0.m4s", .stall(after: Self.stall), times: 1)
        try await withSite { site in
            let token = try await site.download(url)
            try await eventually { !origin.requests(for: "/audio/0.m4s").isEmpty }
            try await body(site, origin, token, "/assets/\(token)/audio-en/0.m4s")
        }
        origin.stop()
    }

    @Test("players get the media alone, when all of it has come", arguments: SampleMedia.wrappings.indices)
    func wrapped(_ index: Int) async throws {
        try await arriving(SampleMedia.wrappings[index].bytes + Self.media) { site, origin, _, path in
            let whole = Task { try await site.get(path) }
            let part = Task { try await site.get(path, ["Range": "bytes=100-199"]) }
            try await Task.sleep(for: .milliseconds(100))
            let (first, second) = try await releasing(origin) {
                (try await whole.value, try await part.value)
            }
            #expect(first.status == 200 && first.body == Self.media)
            #expect(second.status == 206 && second.body == Array(Self.media[100...199]))
        }
    }

    @Test(
        "players get the decompressed media of compressed segments",
        arguments: [SampleMedia.Coding.gzip, .brotli])
    func compressed(_ coding: SampleMedia.Coding) async throws {
        let bytes = SampleMedia.compressed(Self.media, coding)
        try await arriving(bytes) { site, origin, _, path in
            let whole = Task { try await site.get(path) }
            try await Task.sleep(for: .milliseconds(100))
            let got = try await releasing(origin) { try await whole.value }
            #expect(got.status == 200 && got.body == Self.media)
        }
    }

    @Test("players get nothing of a picture whose rest is resumed")
    func resumed() async throws {
        let wrapped = SampleMedia.wrappings[0].bytes + Self.media
        try await arriving(wrapped) { site, origin, token, path in
            _ = try await site.post("/api/v1/assets/\(token)/pause", "{}")
            origin.release()
            origin.fault("/audio/0.m4s", .stall(after: 1000), times: 1)
            _ = try await site.post("/api/v1/assets/\(token)/resume", "{}")
            let got = try await releasing(origin) { try await site.get(path) }
            #expect(got.status == 200 && got.body == Self.media)
        }
    }
}
