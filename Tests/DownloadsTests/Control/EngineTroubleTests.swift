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

@Suite("The engine in trouble", .timeLimit(.minutes(1)))
struct EngineTroubleTests {
    @Test(
        "tells that it is behind while the catalog lets no download begin, and begins when it does", .ofSQLite
    )
    func behind() async throws {
        try await StoreFixture.run {
            $0.conditions.interval = 0.02
        } _: { fixture async throws in
            let store = fixture.store
            fixture.origin.serveStream("/v", count: 1)
            try store.catalog.write(.store) { session in
                try session.execute(
                    """
                    CREATE TEMP TRIGGER full BEFORE UPDATE OF state ON asset WHEN NEW.state = 'downloading'
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
            }
            let token = try await store.intake.enqueue([fixture.request("/v/index.m3u8")]).tokens[0]
            try await eventually { fixture.log.text.contains("cannot start downloads") }
            #expect(await store.engine.catchUp())
            #expect(try store.reader.progress(of: token)?.state == .queued)
            try store.catalog.write(.store) { try $0.execute("DROP TRIGGER full") }
            await store.untilSettled(token)
            #expect(try store.reader.progress(of: token)?.state == .complete)
            #expect(await !store.engine.catchUp())
        }
    }

    @Test("ends the wait for a unit of an asset that is not there")
    func unknown() async throws {
        try await StoreFixture.run { fixture async throws in
            let arriving = fixture.store.reader.arriving
            let key = UnitKey(
                token: AssetToken(at: Timestamp(milliseconds: 1)),
                unit: UnitID(rendition: "video", kind: .segment, number: 0))
            let file = arriving.expect(key, at: fixture.root.appending("0.part"))
            #expect(file.end?.isComplete == nil)
            await fixture.store.engine.demanded(key)
            #expect(file.end?.isComplete == false)
            let isExpected = arriving.file(key) != nil
            #expect(!isExpected)
        }
    }
}
