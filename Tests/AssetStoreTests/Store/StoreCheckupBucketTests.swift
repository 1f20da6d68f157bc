import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("A checkup of the bucket", .timeLimit(.minutes(1)))
struct StoreCheckupBucketTests {
    /// Writes settings that name a bucket and the file with its access key.
    private func write(_ fixture: StoreFixture, credentials: String) throws {
        let media =
            #"{"url": "s3://films/store", "endpoint": "http://127.0.0.1:1", "credentials": "\#(credentials)"}"#
        try DurableWrite.write(Array(#"{"media": \#(media)}"#.utf8), to: fixture.store.paths.settings)
    }

    private func note(_ fixture: StoreFixture, _ place: String) throws {
        try fixture.store.catalog.write(.store) { session in
            try session.execute("INSERT INTO media_place (id, place) VALUES (1, ?)", [place])
        }
    }

    @Test("finds nothing to check if all media are in the store's folder")
    func none() async throws {
        try await StoreFixture.run { fixture async throws in
            #expect(await StoreCheckup.bucket(fixture.root) == nil)
        }
    }

    @Test("misses the settings of a bucket that has the media")
    func noted() async throws {
        try await StoreFixture.run { fixture async throws in
            try note(fixture, "s3://films/store")
            let finding = await StoreCheckup.bucket(fixture.root)
            #expect(finding?.check == StoreCheckup.bucketCheck && finding?.isFine == false)
            #expect(
                finding?.detail.hasPrefix("the settings do not say how to reach s3://films/store; ") == true)
        }
    }

    @Test("tells why the bucket of the settings can't be used")
    func unusable() async throws {
        try await StoreFixture.run { fixture async throws in
            let file = fixture.folder.file("key")
            try write(fixture, credentials: file)
            let lacking = await StoreCheckup.bucket(fixture.root)
            #expect(lacking?.isFine == false && lacking?.detail.contains(file) == true)
            let text = "[default]\naws_access_key_id = a\naws_secret_access_key = b\n"
            try DurableWrite.write(Array(text.utf8), to: FilePath(file))
            // Nobody listens there.
            let away = await StoreCheckup.bucket(fixture.root)
            #expect(away?.isFine == false)
            #expect(away?.detail.hasPrefix("s3://films/store/ can't be used for now: ") == true)
            try note(fixture, "s3://films/other")
            let elsewhere = await StoreCheckup.bucket(fixture.root)
            let error = StoreError(.mediaElsewhere("s3://films/other"))
            #expect(elsewhere?.isFine == false && elsewhere?.detail == error.message)
        }
    }

    @Test("is content with a bucket that answers")
    func reached() {
        let fine = StoreCheckup.reached("s3://films", nil)
        #expect(fine.isFine && fine.detail == "s3://films can be reached")
        let away = StoreCheckup.reached("s3://films", "it is down")
        #expect(!away.isFine && away.detail.hasPrefix("s3://films can't be used for now: it is down; until"))
    }
}
