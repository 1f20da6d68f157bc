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

/// A player and the download on one line.
@Suite(.timeLimit(.minutes(2)))
struct SharedLineTests {
    private static let count = 600
    private static let start = 500
    private static let seconds = 2
    /// The segments that are thirty seconds.
    private static let lead = 15

    private func serve(on origin: OriginServer) {
        let segment = OriginResource(bytes: Media.ts(40))
        for number in 0..<Self.count { origin.serve("/v/s\(number).ts", segment) }
        let names = (0..<Self.count).map { "s\($0).ts" }
        origin.serve("/v/index.m3u8", text: Playlists.media(names, seconds: Self.seconds))
    }

    /// Asks for a segment as a player does, and reads it.
    private func play(_ number: Int, of token: AssetToken, _ fixture: StoreFixture) async throws {
        let unit = try fixture.store.reader.media.unit(
            token, "video", named: .segment(number), extension: "ts")
        guard case .absent(let absent) = unit else { return }
        _ = try await fixture.store.media.demand(absent)?.whole()
    }

    /// Waits until the thirty seconds after a segment are stored.
    private func untilFilled(after number: Int, of token: AssetToken, _ fixture: StoreFixture) async throws {
        let wanted = number..<(number + Self.lead)
        while try !fixture.units(token, "video").allSatisfy({
            !wanted.contains($0.number) || $0.state == .stored
        }) {
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The bytes of the segment that is played, and of the rest.
    private func bytes(_ origin: OriginServer) -> (played: Int, rest: Int) {
        var bytes = (played: 0, rest: 0)
        for request in origin.requests {
            guard let number = Int(request.path.dropFirst(4).dropLast(3)) else { continue }
            if number >= Self.start {
                bytes.played += request.bytesSent
            } else {
                bytes.rest += request.bytesSent
            }
        }
        return bytes
    }

    @Test(
        "once a player has thirty seconds ahead, the download goes on beside it with a fair part of the line")
    func shares() async throws {
        try await StoreFixture.run { fixture async throws in
            serve(on: fixture.origin)
            fixture.origin.limitLine(bytesPerSecond: 400_000)
            let token = try await fixture.add("/v/index.m3u8")
            try await play(Self.start, of: token, fixture)
            try await untilFilled(after: Self.start, of: token, fixture)
            let before = bytes(fixture.origin)
            var (played, rest) = (0, 0)
            // On a busy machine, some more segments are needed to see it.
            for number in Self.start + 1...Self.start + 80
            where number <= Self.start + 30 || rest * 7 < played * 3 {
                try await play(number, of: token, fixture)
                try await untilFilled(after: number, of: token, fixture)
                let now = bytes(fixture.origin)
                (played, rest) = (now.played - before.played, now.rest - before.rest)
            }
            #expect(Double(rest) >= 0.3 * Double(played + rest))
            #expect(played > 0)
        }
    }
}
