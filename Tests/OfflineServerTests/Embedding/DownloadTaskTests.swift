import AssetStore
import Foundation
import Locking
import TestSupport
import Testing

@Suite("A download in an app", .fewAtOnce, .timeLimit(.minutes(2)))
struct DownloadTaskTests {
    private let folder: TemporaryDirectory
    private let origin: OriginServer

    init() throws {
        folder = try TemporaryDirectory()
        origin = try OriginServer()
    }

    private var root: URL { URL(filePath: folder.file("My Streams"), directoryHint: .isDirectory) }

    private func request() throws -> DownloadRequest {
        DownloadRequest(url: try #require(URL(string: SampleStream().publish(on: origin))))
    }

    /// Runs `body` with an open store, which is closed afterwards.
    private func withStore(_ body: (OfflineStore) async throws -> Void) async throws {
        let store = try await OfflineStore.open(at: root)
        do { try await body(store) } catch {
            await store.close()
            throw error
        }
        await store.close()
        origin.stop()
    }

    private func steps(of download: DownloadTask) async throws -> [DownloadProgress.Step] {
        try await download.progress.reduce(into: []) { $0.append($1) }
    }

    @Test("has steps that grow to 1, and a loop over them ends by itself; then the asset plays offline")
    func completes() async throws {
        try await withStore { store in
            let download = try await store.download(request())
            let steps = try await steps(of: download)
            #expect(steps.map(\.fraction) == steps.map(\.fraction).sorted())
            #expect(steps.last?.fraction == 1)
            #expect(steps.last?.state == .complete)
            #expect(steps.last?.bytesPerSecond == nil)
            #expect(steps.last?.activity == nil)
            let asset = try await store.asset(download.id)
            #expect(asset.id == download.id)
            #expect(asset.isPlayableOffline)
            #expect(asset.problems.isEmpty)
            #expect(try await store.assets().map(\.id) == [download.id])
            #expect(try await store.downloadTasks().isEmpty)
        }
    }

    @Test("that is complete has one step")
    func alreadyComplete() async throws {
        try await withStore { store in
            let download = try await store.download(request())
            _ = try await steps(of: download)
            let again = try await store.downloadTask(for: download.id)
            #expect(try await steps(of: again).map(\.state) == [.complete])
        }
    }

    @Test("is followed by several loops at once, each of which sees its end")
    func severalLoops() async throws {
        try await withStore { store in
            origin.fault("/video/2.ts", .holdHeader)
            let download = try await store.download(request())
            try await withThrowingTaskGroup(of: AssetState?.self) { group in
                for _ in 0..<5 { group.addTask { try await steps(of: download).last?.state } }
                _ = await origin.waitForRequests(3)
                try await releasing(origin) {
                    for try await state in group { #expect(state == .complete) }
                }
            }
        }
    }

    @Test("whose origin lacks a segment ends the loop with its failure")
    func fails() async throws {
        try await withStore { store in
            origin.fault("/video/2.ts", .status(410))
            let download = try await store.download(request())
            let failure = try #require(
                await #expect(throws: AssetFailure.self) { try await steps(of: download) })
            #expect(failure.errorClass == "auth")
            #expect("\(failure)".contains("410"))
            await #expect(throws: AssetFailure.self) { try await steps(of: download) }
            #expect(try await store.downloadTasks().map(\.id) == [download.id])
            let asset = try await store.asset(download.id)
            #expect(!asset.isPlayableOffline)
            #expect(!asset.problems.isEmpty)

            origin.clearFaults("/video/2.ts")
            try await download.resume()
            #expect(try await steps(of: download).last?.state == .complete)
        }
    }

    @Test("that is paused continues when it is resumed, and so does the loop")
    func pauses() async throws {
        try await withStore { store in
            origin.fault("/video/2.ts", .holdHeader)
            let download = try await store.download(request())
            var states: [AssetState] = []
            try await releasing(origin) {
                for try await step in download.progress {
                    if states.last != step.state { states.append(step.state) }
                    if states == [.queued] || states == [.downloading] || states == [.queued, .downloading] {
                        try await download.pause()
                    }
                    if step.state == .paused {
                        #expect(step.bytesPerSecond == nil)
                        origin.clearFaults("/video/2.ts")
                        try await download.resume()
                    }
                }
            }
            #expect(states.contains(.paused))
            #expect(states.last == .complete)
        }
    }

    @Test("that is cancelled or removed ends the loop, whose last step names this")
    func cancels() async throws {
        try await withStore { store in
            origin.fault("/video/2.ts", .holdHeader)
            let download = try await store.download(request())
            try await download.pause()
            async let cancelled = steps(of: download).last?.state
            try await download.cancel(deletesMedia: true)
            #expect(try await cancelled == .cancelled)

            try await download.resume()
            try await download.pause()
            var last: AssetState?
            for try await step in download.progress {
                last = step.state
                if step.state == .paused { try await store.remove(download.id) }
            }
            #expect(last == .removing)
            await #expect(throws: StoreError.self) { try await steps(of: download) }
            await #expect(throws: StoreError.self) { try await store.asset(download.id) }
            await #expect(throws: StoreError.self) { try await store.downloadTask(for: download.id) }
            origin.release()
        }
    }

    @Test("whose loop is cancelled continues")
    func loopIsCancelled() async throws {
        try await withStore { store in
            var request = try request()
            request.startsPaused = true
            let download = try await store.download(request)
            let begun = Lock(false)
            let loop = Task {
                for try await _ in download.progress { begun.withLock { $0 = true } }
                return Task.isCancelled
            }
            try await eventually { begun.withLock(\.self) }
            loop.cancel()
            #expect(try await loop.value)
            try await download.resume()
            #expect(try await steps(of: download).last?.state == .complete)
        }
    }

    @Test("whose store is closed ends the loop with an error, and continues when the store is opened again")
    func storeIsClosed() async throws {
        origin.fault("/video/2.ts", .holdHeader)
        let store = try await OfflineStore.open(at: root)
        let download = try await store.download(request())
        let begun = Lock(false)
        let loop = Task { for try await _ in download.progress { begun.withLock { $0 = true } } }
        try await eventually { begun.withLock(\.self) }
        await store.close()
        await store.close()
        let error = await #expect(throws: StoreError.self) { try await loop.value }
        #expect(error?.errorClass == .engine)

        origin.clearFaults("/video/2.ts")
        let id = try #require(AssetToken(download.id.description))
        try await withStore { store in
            try await releasing(origin) {
                let again = try await store.downloadTask(for: id)
                #expect(try await steps(of: again).last?.state == .complete)
            }
        }
    }

    @Test("can be previewed: the stream's offer, the renditions to store, and their size")
    func preview() async throws {
        try await withStore { store in
            let offer = try await store.offer(for: request())
            #expect(offer.isEligible && offer.variants.count == 1)
            var request = try request()
            request.audio = .none
            let preview = try await store.preview(request)
            #expect(!preview.renditions.contains { $0.kind == .audio })
            #expect(preview.size.likely > 0)
            #expect(try await store.assets().isEmpty)
        }
    }

    @Test("may be one of many that are requested at once")
    func many() async throws {
        try await withStore { store in
            let wanted = try request()
            let downloads = try await store.download([wanted, wanted, wanted])
            #expect(Set(downloads.map(\.id)).count == 3)
            for download in downloads { #expect(try await steps(of: download).last?.state == .complete) }
            #expect(try await store.assets().count == 3)
        }
    }
}

@Suite("A store in an app", .fewAtOnce, .timeLimit(.minutes(1)))
struct OpenStoreTests {
    @Test("is at the folder of a URL, whose characters may be any")
    func folder() async throws {
        let folder = try TemporaryDirectory()
        let root = URL(filePath: folder.file("Filme & Sérien 100%"), directoryHint: .isDirectory)
        let store = try await OfflineStore.open(at: root)
        #expect(store.folder.path == root.path)
        #expect(FileManager.default.fileExists(atPath: root.appending(path: "catalog.db").path))
        await store.close()
    }

    @Test("is open once, and free again when it is closed")
    func once() async throws {
        let folder = try TemporaryDirectory()
        let root = URL(filePath: folder.path, directoryHint: .isDirectory)
        let store = try await OfflineStore.open(at: root)
        let error = await #expect(throws: StoreError.self) { _ = try await OfflineStore.open(at: root) }
        guard case .storeInUse = error?.code else {
            Issue.record("\(String(describing: error))")
            return await store.close()
        }
        await store.close()
        await (try OfflineStore.open(at: root)).close()
    }

    @Test("takes an asset from a folder, gives it subtitles, and copies it to another folder")
    func folders() async throws {
        let folder = try TemporaryDirectory()
        func at(_ name: String) -> URL { URL(filePath: folder.file(name)) }
        for (name, bytes) in SampleStream().files { try folder.write(bytes, to: "source/\(name)") }
        try folder.write(Array("1\n00:00:01,000 --> 00:00:02,000\nHallo\n".utf8), to: "de.srt")

        let store = try await OfflineStore.open(at: at("store"))
        let id = try await store.importAsset(from: at("source"), title: "A film")
        let file = SubtitleSource(source: folder.file("de.srt"), language: "de")
        #expect(try await store.addSubtitleFiles([file], to: id) == ["subtitles-de"])
        let reader = try await StoreReader.open(at: at("store"))
        #expect(try reader.requireAsset(id).name == "A film")
        try await store.export(id, to: at("copy"), includesKeys: true)
        await store.close()

        let other = try await OfflineStore.open(at: at("other"))
        let copied = try await other.importAsset(from: at("copy"))
        #expect(try await other.asset(copied).isPlayableOffline)
        await other.close()
    }

    @Test("is no address of the network")
    func noAddress() async throws {
        let address = try #require(URL(string: "https://cdn.example/store"))
        await #expect(throws: StoreError.self) { _ = try await OfflineStore.open(at: address) }
    }

    @Test("that holds its downloads back begins them on request")
    func startsLater() async throws {
        let origin = try OriginServer()
        let folder = try TemporaryDirectory()
        let store = try await OfflineStore.open(
            at: URL(filePath: folder.path, directoryHint: .isDirectory), startsDownloads: false)
        let url = try #require(URL(string: SampleStream().publish(on: origin)))
        let download = try await store.download([DownloadRequest(url: url)])[0]
        await store.start()
        #expect(try await download.progress.reduce(into: nil) { $0 = $1.state } == .complete)
        await store.close()
        origin.stop()
    }
}
