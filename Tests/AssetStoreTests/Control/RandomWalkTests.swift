import Foundation
import TestSupport
import Testing

@testable import AssetStore

/// Random commands on several assets at once, against a model: rows, files and states agree at every step.
@Suite(.timeLimit(.minutes(5)))
struct RandomWalkTests {
    private static let commands: [AssetAction] = [
        .pause, .resume, .cancel, .pause, .resume, .resume, .repair, .remove,
    ]

    /// What must be true of an asset after a command on it.
    private func check(_ store: StoreFixture, _ token: AssetToken, after action: AssetAction) throws {
        let asset = try store.store.reader.asset(token)
        switch action {
        case .remove: #expect(asset == nil)
        case .pause: #expect(asset.map { [.paused, .complete].contains($0.state) } ?? true)
        case .cancel: #expect(asset.map { [.cancelled, .complete].contains($0.state) } ?? true)
        default:
            #expect(
                asset.map { [.queued, .downloading, .complete].contains($0.state) } ?? true,
                "\(action) \(String(describing: asset?.state))")
        }
    }

    /// What the rows call stored is there, byte for byte.
    private func checkFiles(_ fixture: StoreFixture, _ token: AssetToken, _ media: [[UInt8]]) throws {
        for rendition in try fixture.store.catalog.renditions(of: [token])[token] ?? [] {
            let units = try fixture.store.catalog.units(of: rendition.id)
            let stored = units.filter { $0.state == .stored }
            #expect(stored.count == rendition.storedSegments)
            #expect(stored.reduce(0) { $0 + Int64($1.size ?? 0) } == rendition.storedBytes)
            for unit in stored {
                #expect(
                    try fixture.stored(token, "\(rendition.name)/\(unit.number).ts") == media[unit.number])
            }
        }
    }

    private func step(
        _ fixture: StoreFixture, _ tokens: inout [AssetToken], _ media: [[UInt8]],
        _ random: inout SeededGenerator
    ) async throws {
        guard let token = tokens.randomElement(using: &random),
            let action = Self.commands.randomElement(using: &random), tokens.count > 3 || action != .remove
        else { return }
        let before = try fixture.store.reader.progress(of: token)?.state
        let failed = await failure {
            if action == .repair { return try await fixture.store.repair(token) }
            try await fixture.store.perform(
                action, on: token, purge: Bool.random(using: &random))
        }
        if failed == nil {
            try check(fixture, token, after: action)
            if action == .remove { tokens.removeAll { $0 == token } }
        } else if let before, before != .downloading, before != .queued {
            #expect(action.outcome(from: before) == nil, "\(action) of \(before)")
        }
    }

    @Test("200 random commands over 8 assets leave states, files and rows in agreement", arguments: [1, 2])
    func walk(_ seed: UInt64) async throws {
        try await StoreFixture.run {
            $0.transfersPerAsset = 2
        } _: { fixture async throws in
            var random = SeededGenerator(seed: seed)
            let media = fixture.origin.serveStream("/v", count: 6)
            fixture.origin.fault("*", .delay(milliseconds: 1))
            var tokens: [AssetToken] = []
            for _ in 0..<8 { tokens.append(try await fixture.add("/v/index.m3u8")) }
            for count in 0..<200 {
                try await step(fixture, &tokens, media, &random)
                if count % 20 == 0, let token = tokens.first { try checkFiles(fixture, token, media) }
            }
            for token in tokens { try await fixture.store.perform(.resume, on: token) }
            for token in tokens {
                await fixture.store.untilSettled(token)
                #expect(try fixture.store.reader.requireAsset(token).availability.offline)
                try checkFiles(fixture, token, media)
            }
            #expect(Set(try fixture.store.reader.assets().map(\.token)) == Set(tokens))
            #expect(Set(FileSystem.names(in: fixture.store.paths.assets)) == Set(tokens.map(\.description)))
        }
    }
}

/// Numbers that look random and are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
