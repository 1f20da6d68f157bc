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

/// Random commands on eight assets at once, against a model: states, files and rows agree at every step.
///
/// `RANDOM_WALK_STEPS` and `RANDOM_WALK_SEEDS` make it longer.
@Suite(.timeLimit(.minutes(60)))
struct RandomWalkTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let steps = environment["RANDOM_WALK_STEPS"].flatMap { Int($0) } ?? 150
    private static let seeds = 1...(environment["RANDOM_WALK_SEEDS"].flatMap { UInt64($0) } ?? 2)

    @Test("random commands over 8 assets leave states, files and rows in agreement", arguments: seeds)
    func walk(_ seed: UInt64) async throws {
        var walk = try RandomWalk(seed: seed)
        for number in 0..<Self.steps {
            try await walk.step()
            try walk.check("step \(number) of seed \(seed): \(walk.last)")
        }
        try await walk.end()
        try walk.check("the end of seed \(seed)")
        await walk.stop()
    }
}

/// Random actions on a store, with the properties that must hold after each.
private struct RandomWalk {
    /// The expected state of an asset.
    private struct Expectation {
        var renditions: Set<String>
        var isPinned = false
        var priority = 0
        /// The states that it may be in.
        var states: Set<AssetState>
        /// Files that were deleted behind the store's back, by path.
        var gone: Set<String> = []
    }

    private static let count = 8
    private static let running: Set<AssetState> = [.queued, .downloading, .complete]
    private var fixture: StoreFixture
    private let stream: WalkedStream
    private var random: SeededGenerator
    private var assets: [AssetToken: Expectation] = [:]
    /// The last command, for messages.
    private(set) var last = ""

    init(seed: UInt64) throws {
        fixture = try StoreFixture(Self.configure)
        stream = WalkedStream(on: fixture.origin)
        fixture.origin.fault("*", .delay(milliseconds: 1))
        random = SeededGenerator(seed: seed)
    }

    private static func configure(_ configuration: inout OfflineStore.Configuration) {
        configuration.transfersPerAsset = 2
        configuration.conditions.interval = 0.05
    }

    func stop() async { await fixture.store.stop() }

    mutating func step() async throws {
        guard assets.count == Self.count, let token = assets.keys.sorted().randomElement(using: &random)
        else {
            return try await add()
        }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<3: try await act(.pause, token)
        case 3..<8: try await act(.resume, token)
        case 8..<10: try await act(.cancel, token)
        case 10: try await act(.remove, token)
        case 11..<13: try await addTracks(token)
        case 13: try await removeTracks(token)
        case 14: try pin(token)
        case 15: try await edit(token)
        case 16: try deleteFile(token)
        case 17: try await verify(token)
        case 18: try await evict()
        default: Bool.random(using: &random) ? try await repair(token) : try await restart()
        }
    }

    private mutating func add() async throws {
        last = "add"
        let token = try await fixture.add("/master.m3u8") { $0.selection.subtitles = .none }
        assets[token] = Expectation(renditions: ["video-360p", "audio-en"], states: Self.running)
    }

    private mutating func act(_ action: AssetAction, _ token: AssetToken) async throws {
        let purge = Bool.random(using: &random)
        last = "\(action) \(purge) \(token)"
        let outcome = try await fixture.store.perform(action, on: [token], purge: purge)
        if let change = outcome.done.first {
            #expect(action.outcome(from: change.from) == change.to)
            assets[token]?.states =
                Self.running.contains(change.to) && change.to != .complete ? Self.running : [change.to]
            if action == .cancel, purge { assets[token]?.gone = [] }
            if action == .remove { assets[token] = nil }
        } else {
            guard case .wrongState(let state, _)? = outcome.refused.first?.error.code else {
                throw StoreError(.stopped(.closing))
            }
            #expect(action.outcome(from: state) == nil)
        }
    }

    private mutating func addTracks(_ token: AssetToken) async throws {
        let wish = WalkedStream.wishes.randomElement(using: &random) ?? WalkedStream.wishes[0]
        last = "add-tracks \(wish.names) \(token)"
        let before = assets[token]?.renditions ?? []
        let added = try await fixture.store.addTracks(wish.selection, to: token)
        #expect(Set(added.names) == Set(wish.names).subtracting(before), "\(last)")
        assets[token]?.renditions.formUnion(wish.names)
        guard !added.names.isEmpty, assets[token]?.states != [.paused] else { return }
        assets[token]?.states = Self.running
    }

    private mutating func removeTracks(_ token: AssetToken) async throws {
        let names = (assets[token]?.renditions ?? []).sorted()
        guard let name = names.randomElement(using: &random) else { return }
        last = "remove-tracks \(name) \(token)"
        let error = await failure { try await fixture.store.removeTracks([name], from: token) }
        let isMain =
            name == "video-360p" || (name.hasPrefix("audio") && names.count { $0.hasPrefix("audio") } == 1)
        #expect((error != nil) == isMain, "\(last) \(String(describing: error))")
        guard error == nil else { return }
        assets[token]?.renditions.remove(name)
        let gone = assets[token]?.gone ?? []
        assets[token]?.gone = gone.filter { !$0.hasPrefix("\(name)/") }
    }

    private mutating func pin(_ token: AssetToken) throws {
        let isPinned = Bool.random(using: &random)
        last = "pin \(isPinned) \(token)"
        #expect(try fixture.store.control.pin([token], isPinned).refused.isEmpty)
        assets[token]?.isPinned = isPinned
    }

    private mutating func edit(_ token: AssetToken) async throws {
        var edit = AssetEdit()
        edit.priority = Int.random(in: -2...2, using: &random)
        last = "priority \(edit.priority ?? 0) \(token)"
        try await fixture.store.edit(token, edit)
        assets[token]?.priority = edit.priority ?? 0
    }

    /// Deletes a stored file behind the store's back.
    private mutating func deleteFile(_ token: AssetToken) throws {
        let stored = try storedUnits(of: token).filter { $0.path.hasSuffix(".ts") }
        guard let unit = stored.randomElement(using: &random) else { return }
        last = "delete \(unit.path) of \(token)"
        try FileSystem.unlink(fixture.path(token, unit.path))
        assets[token]?.gone.insert(unit.path)
    }

    private mutating func verify(_ token: AssetToken) async throws {
        last = "verify \(token)"
        let gone = try goneUnnoticed(of: token)
        let found = try await fixture.store.verify(token)
        #expect(gone.isSubset(of: found.missing) && found.damaged.isEmpty, "\(last) \(found) \(gone)")
        assets[token]?.gone = []
    }

    /// Deleted files that are still marked as stored. A running download may notice and fetch them at any moment.
    private func goneUnnoticed(of token: AssetToken) throws -> Set<String> {
        let state = try fixture.store.reader.progress(of: token)?.state
        guard let gone = assets[token]?.gone, state != .queued, state != .downloading else { return [] }
        let stored = try storedUnits(of: token).map(\.path)
        return gone.intersection(stored).filter { FileSystem.facts(fixture.path(token, $0)) == nil }
    }

    private mutating func repair(_ token: AssetToken) async throws {
        last = "repair \(token)"
        let state = try fixture.store.reader.progress(of: token)?.state
        try await fixture.store.repair(token)
        if state != .queued, state != .downloading { assets[token]?.gone = [] }
        assets[token]?.states = Self.running
    }

    private mutating func evict() async throws {
        last = "evict"
        for item in try await fixture.store.prune(freeing: 1, [.leastRecentlyPlayed]).evicted {
            last += " \(item.token)"
            #expect(assets[item.token]?.isPinned == false)
            assets[item.token]?.states = [.cancelled]
            assets[item.token]?.gone = []
        }
    }

    /// Stops the engine and starts another one, as an update does.
    private mutating func restart() async throws {
        last = "restart"
        await fixture.store.stop()
        fixture = try StoreFixture(in: fixture.folder, origin: fixture.origin, Self.configure)
        await fixture.store.start()
    }

    /// Requests everything again, and waits until it is complete.
    mutating func end() async throws {
        last = "end"
        for token in assets.keys {
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            _ = try await fixture.store.verify(token)
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            assets[token]?.states = [.complete]
            assets[token]?.gone = []
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.availability.offline && asset.renditions.allSatisfy { $0.isComplete }, "\(asset)")
        }
        await fixture.store.untilDisposed()
        #expect(FileSystem.names(in: fixture.store.paths.disposal).isEmpty)
        #expect(try fixture.store.catalog.storage.disposals().isEmpty)
    }
}

extension RandomWalk {
    /// Checks the properties that must hold after every step.
    func check(_ comment: String) throws {
        let known = Set(try fixture.store.catalog.assets.tokens(in: AssetState.allCases))
        #expect(known == Set(assets.keys), "\(comment)")
        #expect(
            Set(FileSystem.names(in: fixture.store.paths.assets)) == Set(known.map(\.description)),
            "\(comment)")
        #expect(try fixture.store.reader.orphans.all() == [], "\(comment)")
        #expect(try disagreements() == 0, "\(comment)")
        for (token, expected) in assets {
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(expected.states.contains(asset.state), "\(comment): \(token) \(asset.state)")
            #expect(Set(asset.renditions.map(\.name)) == expected.renditions, "\(comment): \(token)")
            #expect(asset.isPinned == expected.isPinned && asset.priority == expected.priority, "\(comment)")
            for unit in try storedUnits(of: token) where !expected.gone.contains(unit.path) {
                let bytes = try fixture.stored(token, unit.path)
                // The store may not know yet that a file is missing.
                #expect(bytes == stream.bytes(unit.path), "\(comment): \(token) \(unit.path)")
            }
        }
    }

    /// Rows whose counters are wrong, in one query.
    private func disagreements() throws -> Int {
        try fixture.store.catalog.read { session in
            try session.value(
                """
                SELECT count(*) FROM rendition AS r WHERE
                    stored_segments != (SELECT count(*) FROM unit WHERE rendition = r.id AND state = 1 AND kind = 0)
                    OR stored_bytes != (SELECT coalesce(sum(size), 0) FROM unit WHERE rendition = r.id AND state = 1)
                    OR NOT EXISTS (SELECT 1 FROM source_playlist AS s WHERE s.asset = r.asset AND s.rendition = r.name)
                    OR EXISTS (SELECT 1 FROM asset WHERE token = r.asset AND state = 'complete' AND finished_at IS NULL)
                """) ?? 0
        }
    }

    /// The files that the rows call stored, by path in the asset's folder.
    private func storedUnits(of token: AssetToken) throws -> [(path: String, unit: UnitRecord)] {
        try (fixture.store.catalog.renditions.all(of: [token])[token] ?? []).flatMap { row in
            try fixture.store.catalog.units.all(of: row.id, states: [.stored]).map { unit in
                ("\(row.name)/\(UnitJob(unit: unit, rendition: row).fileName)", unit)
            }
        }
    }
}

/// The stream of all assets of a walk.
private struct WalkedStream: Sendable {
    private var media: [String: [[UInt8]]] = [:]

    /// Selections that may be added later, with the renditions that they add.
    static let wishes: [(selection: Selection, names: [String])] = {
        var (small, french, german) = (Selection(), Selection(), Selection())
        small.maximumHeight = 180
        french.audio = .matching(["fr"])
        german.subtitles = .all
        return [(small, ["video-180p"]), (french, ["audio-fr"]), (german, ["subtitles-de"])]
    }()

    init(on origin: OriginServer) {
        for (number, item) in [
            ("video-360p", "hi"), ("video-180p", "lo"), ("audio-en", "en"), ("audio-fr", "fr"),
        ].enumerated() {
            media[item.0] = origin.serveStream("/\(item.1)", count: 5, seed: UInt64(number) * 100 + 1)
        }
        origin.serveSubtitles("/de")
        media["subtitles-de"] = (0..<2).map { Array("WEBVTT\n\n/de \($0)\n".utf8) }
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.rendition("AUDIO", "a", "en", "en/index.m3u8", "DEFAULT=YES"),
                Playlists.rendition("AUDIO", "a", "fr", "fr/index.m3u8"),
                Playlists.rendition("SUBTITLES", "s", "de", "de/index.m3u8"),
                Playlists.variant("hi/index.m3u8", 900_000, #"RESOLUTION=640x360,AUDIO="a",SUBTITLES="s""#),
                Playlists.variant("lo/index.m3u8", 300_000, #"RESOLUTION=320x180,AUDIO="a",SUBTITLES="s""#)))
    }

    /// The expected bytes of a file in an asset's folder.
    func bytes(_ path: String) -> [UInt8]? {
        let parts = path.split(separator: "/")
        guard parts.count == 2, let number = Int(parts[1].prefix { $0 != "." }) else { return nil }
        return media[String(parts[0])].flatMap { $0.indices.contains(number) ? $0[number] : nil }
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
