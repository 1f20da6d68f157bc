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
@testable import StorePlanning
@testable import StoreReading

@Suite("Assets that are copied again", .timeLimit(.minutes(1)))
struct ReturningAssetValueTests {
    private let assets = ReturningAssets()
    private let token = AssetToken(at: Timestamp(milliseconds: 1))
    private let other = AssetToken(at: Timestamp(milliseconds: 2))

    @Test("are wanted until they are cancelled, which may be made a purge but not undone")
    func cancelled() {
        let item = assets.begin(token, from: .cancelled)
        assets.cancel([other], purge: true)
        #expect(assets.isWanted(item) && !assets.isPurged(item))
        assets.cancel([token], purge: false)
        #expect(!assets.isWanted(item) && !assets.isPurged(item))
        assets.cancel([token], purge: true)
        #expect(!assets.isWanted(item) && assets.isPurged(item))
        assets.cancel([token], purge: false)
        #expect(!assets.isWanted(item) && assets.isPurged(item))
    }

    @Test("can't be cancelled if they were complete")
    func firm() {
        let item = assets.begin(token, from: .complete)
        for purge in [false, true] {
            assets.cancel([token], purge: purge)
            #expect(assets.isWanted(item) && !assets.isPurged(item))
        }
    }

    @Test("are among them until the last copy has ended, and each copy ends by itself")
    func copies() {
        let first = assets.begin(token, from: .cancelled)
        assets.cancel([token], purge: false)
        let second = assets.begin(token, from: .cancelled)
        #expect(!assets.isWanted(first) && assets.isWanted(second))
        assets.end(first)
        #expect(assets.contains(token) && assets.tokens == [token] && assets.isWanted(second))
        assets.end(second)
        #expect(!assets.contains(token) && assets.tokens.isEmpty)
        #expect(!assets.isWanted(second) && !assets.isPurged(second))
        #expect(!assets.contains(other))
    }
}
