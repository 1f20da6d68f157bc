import ModelTestSupport
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StoreReading

@Suite("The store key of a reader", .timeLimit(.minutes(2)))
struct ReaderStoreKeyTests {
    @Test("is made for a new store, and is the same from then on")
    func made() throws {
        let folder = try TemporaryDirectory()
        let reader = try StoreReader(root: FilePath(folder.file("store")))
        let text = try reader.publicKey().description
        #expect(try reader.publicKey().description == text)
        #expect(!FileSystem.isAbsent(reader.paths.storeKey))
    }

    @Test("is not made while an engine works that has the key from elsewhere")
    func elsewhere() async throws {
        try await StoreFixture.run { fixture async throws in
            let file = fixture.store.paths.storeKey
            let reader = try StoreReader(root: fixture.root)
            let text = try fixture.store.reader.publicKey().description
            #expect(try reader.publicKey().description == text)
            try FileSystem.unlink(file)
            let error = await failure { _ = try reader.publicKey() }
            #expect(error?.text == #"keyElsewhere("\#(file)")"#)
            #expect(FileSystem.isAbsent(file))
        }
    }

    @Test("is not made in the folder of a node, which has the key of the other nodes or none")
    func ofNode() async throws {
        let folder = try TemporaryDirectory()
        var paths = StorePaths(root: FilePath(folder.file("store")))
        paths.isOfNode = true
        let file = paths.storeKey
        let reader = StoreReader(paths: paths, catalog: nil, vault: nil)
        let error = await failure { _ = try reader.publicKey() }
        #expect(error?.text == #"foreignSecret("\#(file)")"#)
        #expect(FileSystem.isAbsent(file))
        let text = try KeyVault(file).publicKey.description
        #expect(try reader.publicKey().description == text)
    }

    @Test("opens content keys, which are missing while its file is gone and no engine works", .ofSQLite)
    func contentKeys() async throws {
        let fixture = try StoreFixture()
        Licensed.serve(on: fixture.origin)
        let token = try await fixture.download("/master.m3u8").token
        await fixture.store.stop()
        let reader = try StoreReader(root: fixture.root)
        for asset in try [reader.requireAsset(token), reader.requireProgress(of: token)] + reader.assets() {
            #expect(asset.availability.offline && asset.license.state == .valid)
        }
        try FileSystem.unlink(reader.paths.storeKey)
        for asset in try [reader.requireAsset(token), reader.requireProgress(of: token)] + reader.assets() {
            #expect(asset.availability.blockedBy == [.keyMissing])
            #expect(asset.license.state == .missing)
        }
    }

    @Test("counts as there while an engine works, which has it from elsewhere", .ofSQLite)
    func ofEngine() async throws {
        try await Licensed.run(LicenseTerms()) { asset async throws in
            let reader = try StoreReader(root: asset.fixture.root)
            try FileSystem.unlink(reader.paths.storeKey)
            #expect(try reader.requireAsset(asset.token).availability.offline)
            #expect(try reader.assets().map(\.license.state) == [.valid])
        }
    }
}
