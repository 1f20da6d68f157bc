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

/// Units that are arriving, or were put off, at the end of a download.
@Suite(.timeLimit(.minutes(2)))
struct EndOfRunTests {
    /// The unfinished files below a folder that this process has open.
    private func openParts(below root: FilePath) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.hasPrefix(root.string) && $0.contains(".part") }
    }

    @Test("an arriving segment is closed when another one ends the download, and kept if it is whole")
    func others() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 12)
            fixture.origin.fault("/v/s7.ts", .status(403))
            let asset = try await fixture.download("/v/index.m3u8")
            #expect(asset.state == .failed && asset.failure?.errorClass == "auth")
            #expect(try openParts(below: fixture.root) == [])
            fixture.origin.clearFaults("/v/s7.ts")
            try await fixture.store.perform(.resume, on: asset.token)
            await fixture.store.untilSettled(asset.token)
            #expect(try fixture.store.reader.requireAsset(asset.token).state == .complete)
        }
    }

    @Test(
        "a part of a file of which every byte had come before the process was killed is not asked for again")
    func full() async throws {
        try await StoreFixture.run { fixture async throws in
            let bytes = Media.ts(20)
            fixture.origin.serve("/v/big.ts", bytes: bytes)
            let half = bytes.count / 2
            fixture.origin.serve(
                "/v/index.m3u8",
                text: Playlists.media(["big.ts", "big.ts"])
                    .replacing("#EXTINF", with: "#EXT-X-BYTERANGE:\(half)\n#EXTINF")
                    .replacing("\(half)", with: "\(half)@0", maxReplacements: 1))
            fixture.origin.fault("/v/big.ts", .status(403))
            let token = try await fixture.download("/v/index.m3u8").token
            let file = try PartialFile(creating: fixture.path(token, "video/.0.ts.part"))
            file.validator = Validator(etag: "\"1\"")
            let first = Array(bytes.prefix(half))
            unsafe try file.append(first.span.bytes)
            file.keepHead()
            fixture.origin.clearFaults("/v/big.ts")
            fixture.origin.forgetRequests()
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
            #expect(try fixture.stored(token, "video/0.ts") == first)
            #expect(try fixture.stored(token, "video/1.ts") == Array(bytes.suffix(half)))
            #expect(fixture.origin.requests(for: "/v/big.ts").count == 1)
        }
    }

    /// Asks for a segment as a player does.
    private func player(
        of token: AssetToken, at number: Int, _ fixture: StoreFixture
    ) async throws -> ArrivingFile? {
        let unit = try fixture.store.reader.media.unit(
            token, "video", named: .segment(number), extension: "ts")
        guard case .absent(let absent) = unit else { return nil }
        return await fixture.store.media.demand(absent)
    }

    @Test("segments that the origin lacked at first are requested once more, when no player has the line")
    func secondRound() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/a", count: 2)
            fixture.origin.fault("/a/s0.ts", .status(404), times: 1)
            fixture.origin.fault("/a/s1.ts", .holdHeader, times: 1)
            fixture.origin.serveStream("/b", count: 1)
            fixture.origin.fault("/b/s0.ts", .rate(100))
            let token = try await fixture.add("/a/index.m3u8")
            try await eventually { fixture.origin.requests(for: "/a/s0.ts").count == 1 }
            try await eventually { fixture.origin.requests(for: "/a/s1.ts").count == 1 }
            let other = try await fixture.add("/b/index.m3u8")
            let players = [
                try await player(of: token, at: 1, fixture), try await player(of: other, at: 0, fixture),
            ]
            fixture.origin.release()
            try await eventually { try fixture.units(token, "video")[1].state == .stored }
            try await fixture.store.perform(.cancel, on: other, purge: true)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
            #expect(try fixture.units(token, "video").allSatisfy { $0.state == .stored })
            #expect(fixture.origin.requests(for: "/a/s0.ts").count == 2)
            withExtendedLifetime(players) {}
        }
    }
}
