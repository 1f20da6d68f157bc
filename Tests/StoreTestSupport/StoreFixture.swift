import ModelTestSupport
import StoreFiles
package import StoreModel
package import SystemPackage
package import TestSupport
package import Testing

@testable package import AssetStore

/// An origin and a store with its engine, of a test's own. Retries do not wait.
package final class StoreFixture: Sendable {
    package let folder: TemporaryDirectory
    package let origin: OriginServer
    package let root: FilePath
    package let store: OfflineStore
    package let log = CollectedLog()

    package init(
        in folder: TemporaryDirectory? = nil, origin: OriginServer? = nil, named name: String = "store",
        _ configure: (inout OfflineStore.Configuration) -> Void = { _ in }
    ) throws {
        let folder = try folder ?? TemporaryDirectory()
        self.folder = folder
        self.origin = try origin ?? OriginServer()
        root = FilePath(folder.file(name))
        var configuration = OfflineStore.Configuration()
        configuration.pause = { _ in try Task.checkCancellation() }
        configuration.catalog = try TestCatalog.address(for: root.string)
        configure(&configuration)
        store = try OfflineStore(root: root, configuration: configuration, log: log.logger)
    }

    /// Runs a test with a fixture that is stopped at its end, and when the test's time limit cancels it: whoever waits
    /// for a download then goes on.
    package static func run<Value: Sendable>(
        _ configure: (inout OfflineStore.Configuration) -> Void = { _ in },
        _ body: (StoreFixture) async throws -> Value
    ) async throws -> Value {
        let fixture = try StoreFixture(configure)
        let result: Result<Value, any Error>
        do {
            result = .success(
                try await withTaskCancellationHandler {
                    try await body(fixture)
                } onCancel: {
                    Task { await fixture.store.stop() }
                })
        } catch { result = .failure(error) }
        await fixture.store.stop()
        fixture.expectNoKeys()
        return try result.get()
    }

    /// No byte of a key is in a file of the store or in the log.
    package func expectNoKeys(_ location: SourceLocation = #_sourceLocation) {
        #expect(Secret.traces(in: root.string) == [], sourceLocation: location)
        #expect(!Secret.isIn(log.text), sourceLocation: location)
    }

    package func request(_ path: String) -> AssetRequest { AssetRequest(url: origin.url(path)) }

    /// Adds the stream at a path of the origin.
    package func add(_ path: String, _ change: (inout AssetRequest) -> Void = { _ in }) async throws
        -> AssetToken
    {
        var request = request(path)
        change(&request)
        return try await store.intake.add(request).token
    }

    /// Adds the stream at a path of the origin and waits until its download has ended.
    package func download(_ path: String, _ change: (inout AssetRequest) -> Void = { _ in }) async throws
        -> Asset
    {
        let token = try await add(path, change)
        await store.untilSettled(token)
        return try store.reader.requireAsset(token)
    }

    /// What adding the stream at a path fails with.
    package func refusal(_ path: String, _ change: (inout AssetRequest) -> Void = { _ in }) async
        -> StoreError?
    {
        var request = request(path)
        change(&request)
        do throws(StoreError) {
            _ = try await store.intake.add(request)
            return nil
        } catch {
            return error
        }
    }

    /// Whether neither rows nor folders of any asset are there.
    package var isEmpty: Bool {
        get throws { try store.reader.assets().isEmpty && FileSystem.names(in: store.paths.assets).isEmpty }
    }

    /// The bytes of a file in an asset's folder.
    package func stored(_ token: AssetToken, _ name: String) throws -> [UInt8]? {
        try DurableWrite.read(path(token, name))
    }

    /// A content key as a player gets it; `nil` when it gets none.
    package func contentKey(_ token: AssetToken, _ id: String) throws -> [UInt8]? {
        switch try store.keys.key(token, id) {
        case .key(let bytes, _): return bytes
        case .refused, .missing, .unknown: return nil
        }
    }

    /// A stored part of a rendition as it is decrypted here; nothing when it is not.
    package func clear(
        _ name: UnitName, _ suffix: String, of token: AssetToken, _ rendition: String = "video"
    ) throws -> [UInt8] {
        let answer = try store.reader.media.unit(token, rendition, named: name, extension: suffix)
        guard case .stored(let file) = answer,
            let media = try store.media.clear(
                file, of: token, rendition: rendition, named: name, counts: true)
        else { return [] }
        var clear: [UInt8] = []
        while case .bytes(let bytes) = media.read(at: UInt64(clear.count), count: 4096) { clear += bytes }
        return clear
    }

    /// The path of a file in an asset's folder.
    package func path(_ token: AssetToken, _ name: String) -> FilePath {
        store.paths.asset(token).pushing(FilePath(name))
    }

    /// The text of the multivariant playlist that players get.
    package func master(_ token: AssetToken, audio: String? = nil, subtitles: String? = nil) throws -> String
    {
        let bytes = try store.reader.playlists.multivariantPlaylist(
            token, audio: audio, subtitles: subtitles, poster: "poster")
        return String(decoding: bytes ?? [], as: UTF8.self)
    }

    /// Everything that the catalog knows of the units of a rendition.
    package func units(_ token: AssetToken, _ rendition: String) throws -> [UnitRecord] {
        guard let row = try store.catalog.renditions.rendition(token, rendition) else { return [] }
        return try store.catalog.units.all(of: row.id)
    }
}

extension StoreFixture {
    /// Waits until an asset waits in the queue for something; the suite's time limit ends a wait in vain.
    package func untilWaiting(_ token: AssetToken, for reason: String) async throws {
        while true {
            let asset = try store.reader.progress(of: token)
            if asset?.state == .queued, asset?.reason == reason { return }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
