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

/// The playable part of an asset at each moment of its download, against a model of seconds.
@Suite(.timeLimit(.minutes(2)))
struct PlayableProgressTests {
    private static let duration = 60
    /// The renditions with the length of their segments in seconds: their borders fall apart.
    private static let renditions = [(name: "video", seconds: 4), (name: "audio", seconds: 3)]

    private static func seconds(_ name: String) -> Int { name.hasPrefix("audio") ? 3 : 4 }

    private func serve(on origin: OriginServer) {
        let segment = OriginResource(bytes: Media.ts(10))
        for (name, seconds) in Self.renditions {
            let files = (0..<Self.duration / seconds).map { "s\($0).ts" }
            for file in files {
                origin.serve("/\(name)/\(file)", segment)
                origin.fault("/\(name)/\(file)", .delay(milliseconds: .random(in: 0...60)))
            }
            origin.serve("/\(name)/index.m3u8", text: Playlists.media(files, seconds: seconds))
        }
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("AUDIO", "a", "en", "audio/index.m3u8", "DEFAULT=YES"),
                Playlists.variant("video/index.m3u8", 100_000, #"AUDIO="a""#)))
    }

    /// The segments that the catalog calls stored, by rendition.
    private func stored(_ fixture: StoreFixture, _ token: AssetToken) throws -> [String: Set<Int>] {
        let rows = try fixture.store.catalog.renditions.all(of: [token])[token] ?? []
        return Dictionary(
            uniqueKeysWithValues: try rows.map { row in
                let units = try fixture.store.catalog.units.all(of: row.id, states: [.stored])
                return (row.name, Set(units.map(\.number)))
            })
    }

    /// The seconds that play, when these segments are there.
    private func model(_ stored: [String: Set<Int>]) -> [Bool] {
        (0..<Self.duration).map { second in
            stored.allSatisfy { name, numbers in
                numbers.contains(second / Self.seconds(name))
            }
        }
    }

    /// The same as the product tells it.
    private func told(_ asset: Asset) -> [Bool] {
        (0..<Self.duration).map { second in
            let middle = Double(second) + 0.5
            return asset.availability.ranges.contains { $0.start < middle && middle < $0.end }
        }
    }

    /// A player that seeks.
    private func seek(_ fixture: StoreFixture, _ token: AssetToken) async throws {
        let number = Int.random(in: 0..<Self.duration / 4)
        guard let row = try stored(fixture, token).keys.first(where: { !$0.hasPrefix("audio") }),
            case .absent(let unit) = try fixture.store.reader.media.unit(
                token, row, named: .segment(number), extension: "ts")
        else { return }
        _ = try await fixture.store.media.demand(unit)?.whole()
    }

    /// Looks again and again until the download has ended.
    ///
    /// - Returns: how many different moments were seen.
    private func watch(_ fixture: StoreFixture, _ token: AssetToken) async throws -> Int {
        var seen: Set<[Bool]> = []
        var last = [Bool](repeating: false, count: Self.duration)
        var isOver = false
        while !isOver {
            isOver = try fixture.store.reader.requireAsset(token).state == .complete
            let before = try stored(fixture, token)
            let asset = try fixture.store.reader.requireAsset(token)
            let now = told(asset)
            if try stored(fixture, token) == before {
                let model = model(before)
                #expect(now == model)
                let gap = model.firstIndex(of: false) ?? Self.duration
                #expect(asset.availability.fromStartUntil == Double(gap))
            }
            #expect(zip(last, now).allSatisfy { !$0 || $1 }, "something that played does not any more")
            (last, _) = (now, seen.insert(now))
            await Task.yield()
        }
        #expect(!last.contains(false))
        return seen.count
    }

    @Test(
        "the time ranges and the playable time from the start are exact at each moment, and only grow",
        arguments: 0..<4)
    func exact(_ round: Int) async throws {
        try await StoreFixture.run { fixture async throws in
            serve(on: fixture.origin)
            let token = try await fixture.add("/master.m3u8")
            let seeks = Task {
                while !Task.isCancelled {
                    try await seek(fixture, token)
                    try await Task.sleep(for: .milliseconds(15))
                }
            }
            defer { seeks.cancel() }
            #expect(try await watch(fixture, token) > 1, "nothing was seen of the download")
        }
    }
}
