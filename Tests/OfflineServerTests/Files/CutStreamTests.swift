import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite(
    "Streams that are cut anywhere", .fewAtOnce, .timeLimit(.minutes(5)),
    .enabled(if: EncodedStream.isPossible))
struct CutStreamTests {
    @Test("have all pictures and all sound in one file, each at its time", arguments: CutStream.all)
    func file(_ stream: CutStream) async throws {
        try await withSite { site in
            let folder = try TemporaryDirectory()
            let (token, whole) = try await stream.add(to: site, folder)
            let url = "\(site.server.url)/assets/\(token)/video.mp4"
            let (made, expected) = (try await DecodedFilm.read(url), try await DecodedFilm.read(whole))
            #expect(made.pictures.count > 80)
            #expect(made == expected)
            let (own, origin) = (try await ProbedPackets(url), try await ProbedPackets(whole))
            for kind in ["video", "audio"] {
                let (one, other) = (own.sorted(kind), origin.sorted(kind))
                #expect(one.count == other.count, "\(kind)")
                #expect(zip(one, other).allSatisfy { abs($0 - $1) < 0.001 }, "\(kind)")
            }
        }
    }
}

extension ProbedPackets {
    /// The presentation times of the packets of a kind, from the first picture on.
    fileprivate func sorted(_ kind: String) -> [Double] {
        let begin = times["video"]?.min() ?? 0
        return (times[kind] ?? []).sorted().map { $0 - begin }
    }
}
