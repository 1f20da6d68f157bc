import SystemPackage
import Testing

@testable import Downloads
@testable import StoreModel

@Suite("A unit that lies in a bucket")
struct BucketUnitTests {
    private let token = AssetToken(at: Timestamp(milliseconds: 1))
    private let row = RenditionRecord(
        name: "video", position: 0, kind: .variant, required: true, listings: [], hasPlaylist: true,
        container: .ts, duration: 8, segments: 2)

    private func unit(_ change: (inout UnitRecord) -> Void = { _ in }) -> UnitRecord {
        var unit = UnitRecord(
            kind: .segment, number: 3, start: 12, duration: 4, url: "", state: .stored, size: 5, sha256: [1],
            object: "w-1")
        change(&unit)
        return unit
    }

    private func bucketUnit(_ unit: UnitRecord) -> BucketUnit? {
        BucketUnit(UnitJob(unit: unit, rendition: row), of: token, at: "/store/video/3.ts")
    }

    @Test("has an object with its name and that of the writer, and a file of its own while it is fetched")
    func names() throws {
        let found = try #require(bucketUnit(unit()))
        #expect(found.objectKey == "\(token)/video/3.ts.w-1")
        #expect(found.objectKey("w-2") == "\(token)/video/3.ts.w-2")
        #expect(found.fillPath == "/store/video/.3.ts.fill")
        #expect(found.size == 5 && found.sha256 == [1])
    }

    @Test("is stored, and has an object whose bytes are known")
    func others() {
        let changes: [(inout UnitRecord) -> Void] = [
            { $0.state = .missing }, { $0.object = nil }, { $0.size = nil }, { $0.sha256 = nil },
        ]
        for (number, change) in changes.enumerated() {
            let isFound = bucketUnit(unit(change)) != nil
            #expect(!isFound, "change \(number)")
        }
    }

    @Test("is known again after it was found gone, if it was in a bucket")
    func lost() {
        let gone = unit { $0.state = .missing }
        let found = BucketUnit.lost(gone, of: row, token, in: "/store/video")
        #expect(found?.path == "/store/video/3.ts" && found?.objectKey == "\(token)/video/3.ts.w-1")
        let local = BucketUnit.lost(unit { $0.object = nil }, of: row, token, in: "/store/video")
        let isFound = local != nil
        #expect(!isFound)
    }
}
