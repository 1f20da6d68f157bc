import Foundation
import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

@Suite("Opening a store", .timeLimit(.minutes(1)))
struct OfflineStoreOpeningTests {
    private let folder: TemporaryDirectory
    private let place: URL

    init() throws {
        folder = try TemporaryDirectory()
        place = URL(filePath: folder.file("my #1 store"), directoryHint: .isDirectory)
    }

    private func configuration(maximumDownloads: Int? = nil) throws -> OfflineStore.Configuration {
        var configuration = OfflineStore.Configuration()
        configuration.maximumDownloads = maximumDownloads
        configuration.catalog = try TestCatalog.address(for: place.path(percentEncoded: false))
        return configuration
    }

    @Test("makes it in the folder of the URL, whatever characters its name has")
    func folders() async throws {
        let store = try await OfflineStore.open(at: place, configuration: try configuration())
        #expect(FileSystem.names(in: FilePath(folder.path)) == ["my #1 store"])
        #expect(store.paths.root == FilePath(folder.file("my #1 store")))
        #expect(store.folder.path(percentEncoded: false) == folder.file("my #1 store") + "/")
        let reader = try await StoreReader.open(at: place)
        #expect(reader.paths.root == store.paths.root && reader.engine != nil)
        await store.close()
        await store.close()
        #expect(reader.engine == nil)
    }

    @Test("takes file URLs only")
    func address() async throws {
        let url = try #require(URL(string: "https://store.example/films"))
        let error = await failure { _ = try await OfflineStore.open(at: url) }
        #expect(error?.text == #"noStore("https://store.example/films")"#)
    }

    @Test("starts its queued downloads, unless it is not to", arguments: [true, false])
    func starts(_ starts: Bool) async throws {
        let origin = try OriginServer()
        origin.serveStream("/v", count: 1)
        let first = try await OfflineStore.open(
            at: place, configuration: try configuration(maximumDownloads: 0))
        let token = try await first.intake.add(AssetRequest(url: origin.url("/v/index.m3u8"))).token
        await first.close()
        origin.forgetRequests()
        let second = try await OfflineStore.open(
            at: place, configuration: try configuration(), startsDownloads: starts)
        if starts {
            await second.untilSettled(token)
            #expect(try second.reader.requireAsset(token).state == .complete)
        } else {
            #expect(try second.reader.requireAsset(token).state == .queued)
            #expect(origin.requests.isEmpty)
        }
        await second.close()
    }

    @Test("copies an asset to a folder of any name, and makes an asset of it again")
    func folderNames() async throws {
        let origin = try OriginServer()
        origin.serveStream("/v", count: 1)
        let store = try await OfflineStore.open(at: place, configuration: try configuration())
        let url = try #require(URL(string: origin.url("/v/index.m3u8")))
        let task = try await store.download(DownloadRequest(url: url))
        await store.untilSettled(task.id)
        let target = URL(filePath: folder.file("a #2 copy"))
        try await store.export(task.id, to: target)
        #expect(FileSystem.isDirectory(FilePath(folder.file("a #2 copy"))))
        let copy = try await store.importAsset(from: target, title: "Copy")
        #expect(try await store.asset(copy).name == "Copy")
        #expect(try await store.assets().count == 2)
        #expect(try await store.downloadTasks().isEmpty)
        #expect(try await store.downloadTask(for: copy).id == copy)
        let never = try #require(AssetToken("01ARYZ6S410000000000000000"))
        let error = await failure { _ = try await store.downloadTask(for: never) }
        #expect(error?.text == #"noSuchAsset("\#(never)")"#)
        await store.close()
    }

    @Test("lists the downloads that are not complete, in every state but while they are removed")
    func tasks() async throws {
        try await StoreFixture.run {
            $0.maximumDownloads = 0
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let url = try #require(URL(string: fixture.origin.url("/v/index.m3u8")))
            let requests = [DownloadRequest](repeating: DownloadRequest(url: url), count: 3)
            let tasks = try await fixture.store.download(requests)
            #expect(Set(tasks.map(\.id)).count == 3)
            try await tasks[1].pause()
            try await tasks[2].cancel()
            let all = try await fixture.store.downloadTasks()
            #expect(Set(all.map(\.id)) == Set(tasks.map(\.id)))
            try await fixture.store.remove(tasks[0].id)
            #expect(try await fixture.store.downloadTasks().count == 2)
        }
    }
}
