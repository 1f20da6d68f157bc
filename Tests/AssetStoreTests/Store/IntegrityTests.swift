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
@testable import StoreReading

/// Stored files that were deleted, cut or changed behind the store's back.
struct IntegrityTests {
    /// A complete asset of four segments, of which file 1 was changed, 2 truncated and 3 deleted.
    private func damaged(_ fixture: StoreFixture) async throws -> AssetToken {
        fixture.origin.serveStream("/v", count: 4)
        let token = try await fixture.download("/v/index.m3u8").token
        var bytes = try fixture.stored(token, "video/1.ts") ?? []
        bytes[100] ^= 1
        try DurableWrite.write(bytes, to: fixture.path(token, "video/1.ts"))
        try DurableWrite.write(Array(bytes.prefix(50)), to: fixture.path(token, "video/2.ts"))
        try FileSystem.unlink(fixture.path(token, "video/3.ts"))
        fixture.origin.forgetRequests()
        return token
    }

    @Test("an unchanged asset is found sound")
    func sound() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 4)
            let token = try await fixture.download("/v/index.m3u8").token
            let result = try await fixture.store.verify(token)
            #expect(result.isSound)
            #expect(result.checked == 5)
        }
    }

    @Test("a flipped bit, a cut and a deleted file are found, and not served any more")
    func found() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await damaged(fixture)
            let result = try await fixture.store.verify(token)
            #expect(result.damaged == ["video/1.ts", "video/2.ts"])
            #expect(result.missing == ["video/3.ts"])
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.availability.blockedBy == [.segmentDamaged])
            #expect(asset.health.level == .damaged)
            #expect(asset.health.problems.map(\.kind) == [.segmentMissing, .segmentDamaged])
            #expect(asset.availability.fromStartUntil == 4)
            #expect(asset.renditions[0].storedSegments == 1)
            guard
                case .absent = try fixture.store.reader.media.unit(
                    token, "video", named: .segment(1), extension: "ts")
            else {
                Issue.record("a damaged segment is served")
                return
            }
        }
    }

    @Test(
        "the left-over partial file beside a whole segment is deleted by the next repair or verification",
        arguments: [true, false])
    func leftovers(isRepair: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.download("/v/index.m3u8").token
            for name in [".1.ts.part.head", ".1.ts.part"] {
                try DurableWrite.write([1], to: fixture.path(token, "video/\(name)"))
            }
            if isRepair {
                try await fixture.store.repair(token, isReading: false)
            } else {
                _ = try await fixture.store.verify(token)
            }
            let names = FileSystem.names(in: fixture.path(token, "video"))
            #expect(Set(names) == ["0.ts", "1.ts", "media.m3u8"])
            #expect(try fixture.store.reader.requireAsset(token).availability.offline)
        }
    }

    @Test("repair fetches the findings of verify, and nothing else")
    func repaired() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await damaged(fixture)
            _ = try await fixture.store.verify(token)
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            #expect(Set(fixture.origin.mediaPaths) == ["/v/s1.ts", "/v/s2.ts", "/v/s3.ts"])
            #expect(try fixture.store.reader.requireAsset(token).availability.offline)
            #expect(try await fixture.store.verify(token).isSound)
        }
    }

    @Test("repair by itself finds deleted, truncated and changed files, and fetches them")
    func repairAlone() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await damaged(fixture)
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            #expect(Set(fixture.origin.mediaPaths) == ["/v/s1.ts", "/v/s2.ts", "/v/s3.ts"])
            #expect(try await fixture.store.verify(token).isSound)
        }
    }

    @Test("a resume notices deleted and truncated files by a quick check")
    func goingOn() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await damaged(fixture)
            try await fixture.store.repair(token, isReading: false)
            await fixture.store.untilSettled(token)
            #expect(Set(fixture.origin.mediaPaths) == ["/v/s2.ts", "/v/s3.ts"])
        }
    }

    /// Writes segments 1 to 3 as they were downloaded.
    private func putBack(_ fixture: StoreFixture, _ token: AssetToken) throws {
        for (number, bytes) in fixture.origin.serveStream("/v", count: 4).enumerated() where number > 0 {
            try DurableWrite.write(bytes, to: fixture.path(token, "video/\(number).ts"))
        }
    }

    @Test(
        "a lost file that is put back from a backup is served again after a verification, another one is not")
    func returnedFiles() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await damaged(fixture)
            _ = try await fixture.store.verify(token)
            try putBack(fixture, token)
            let path = fixture.path(token, "video/2.ts")
            var other = try #require(try DurableWrite.read(path))
            other[0] ^= 1
            try DurableWrite.write(other, to: path)
            let result = try await fixture.store.verify(token)
            #expect(result.returned == ["video/1.ts", "video/3.ts"])
            #expect(result.damaged == ["video/2.ts"] && result.missing.isEmpty)
            #expect(try fixture.store.reader.requireAsset(token).renditions[0].storedSegments == 3)
            try putBack(fixture, token)
            try await fixture.store.repair(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline && asset.health.level == .sound)
            #expect(fixture.origin.requests.isEmpty)
        }
    }

    @Test("a failed asset whose lost files are put back completes without its origin")
    func returnedToFailed() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try await damaged(fixture)
            for number in 1...3 { fixture.origin.fault("/v/s\(number).ts", .status(404)) }
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .failed)
            let lost = try await fixture.store.verify(token)
            #expect(lost.missing == ["video/3.ts"] && lost.damaged == ["video/1.ts", "video/2.ts"])
            try putBack(fixture, token)
            fixture.origin.forgetRequests()
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(fixture.origin.mediaPaths.isEmpty)
        }
    }

    @Test("repair leaves an asset that lacks nothing complete", arguments: [true, false])
    func nothingToRepair(isReading: Bool) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.download("/v/index.m3u8").token
            let last = try fixture.store.catalog.events.lastEvent()
            try FileSystem.unlink(fixture.path(token, "video/media.m3u8"))
            for _ in 0..<2 { try await fixture.store.repair(token, isReading: isReading) }
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.finishedAt != nil && asset.availability.offline)
            let events = try fixture.store.catalog.events.all(after: last, limit: 100)
            #expect(events.filter { $0.kind == .state }.isEmpty)
        }
    }

    @Test("a file that is deleted while a download rests is fetched again when it continues")
    func deletedMeanwhile() async throws {
        try await StoreFixture.run { fixture async throws in
            let segments = fixture.origin.serveStream("/v", count: 3)
            fixture.origin.fault("/v/s2.ts", .holdHeader, times: 1)
            let token = try await fixture.add("/v/index.m3u8")
            #expect(await fixture.origin.waitForRequests(4))
            while try fixture.units(token, "video").count(where: { $0.state == .stored }) < 2 {
                try await Task.sleep(for: .milliseconds(5))
            }
            try await fixture.store.perform(.pause, on: token)
            try FileSystem.unlink(fixture.path(token, "video/0.ts"))
            fixture.origin.release()
            try await fixture.store.perform(.resume, on: token)
            await fixture.store.untilSettled(token)
            let asset = try fixture.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.availability.offline)
            #expect(try fixture.stored(token, "video/0.ts") == segments[0])
        }
    }

    @Test("a deleted or cut file makes an asset unplayable at once, without any check asked for")
    func availability() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 4)
            let token = try await fixture.download("/v/index.m3u8").token
            let path = fixture.path(token, "video/2.ts")
            let bytes = try DurableWrite.read(path) ?? []
            try Data(bytes.prefix(10)).write(to: URL(fileURLWithPath: path.string))
            let cut = try fixture.store.reader.requireAsset(token).availability
            #expect(!cut.offline && cut.blockedBy == [.segmentDamaged] && cut.fromStartUntil == 8)
            try FileSystem.unlink(path)
            let gone = try fixture.store.reader.requireAsset(token).availability
            #expect(!gone.offline && gone.blockedBy == [.segmentDamaged] && gone.fromStartUntil == 8)
            guard
                case .absent = try fixture.store.reader.media.unit(
                    token, "video", named: .segment(2), extension: "ts")
            else {
                Issue.record("a deleted segment is served")
                return
            }
        }
    }

    @Test("a file that is truncated right after the download is noticed in a listing, too")
    func listed() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 4)
            let token = try await fixture.download("/v/index.m3u8").token
            #expect(try fixture.store.reader.assets()[0].availability.offline)
            #expect(unsafe truncate(fixture.path(token, "video/2.ts").string, 10) == 0)
            let availability = try fixture.store.reader.assets()[0].availability
            #expect(availability.blockedBy == [.segmentDamaged] && availability.fromStartUntil == 8)
        }
    }

    @Test(
        "of more assets than a listing can look into, it notices a folder that changed",
        arguments: ["2.ts", "media.m3u8"])
    func listedByFolder(_ name: String) async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 4)
            let token = try await fixture.download("/v/index.m3u8").token
            let (catalog, paths) = (fixture.store.catalog, fixture.store.paths)
            func isOffline() throws -> Bool {
                let record = try #require(try catalog.assets.asset(token))
                let rows = try #require(try catalog.renditions.all(of: [token])[token])
                return try AvailabilityCheck(paths: paths, catalog: catalog, record: record)
                    .judge(rows, keysMissing: false, depth: .folders).availability.offline
            }
            #expect(try isOffline())
            try FileSystem.unlink(fixture.path(token, "video/\(name)"))
            #expect(try !isOffline())
        }
    }

    @Test("of more assets than a listing can look into, it looks at no files of those whose keys are missing")
    func listedWithoutKeys() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 4)
            let token = try await fixture.download("/v/index.m3u8").token
            let (catalog, paths) = (fixture.store.catalog, fixture.store.paths)
            let record = try #require(try catalog.assets.asset(token))
            let rows = try #require(try catalog.renditions.all(of: [token])[token])
            let check = AvailabilityCheck(paths: paths, catalog: catalog, record: record)
            let closely = try check.judge(rows, keysMissing: true, depth: .files).availability
            #expect(closely.blockedBy == [.keyMissing] && closely.ranges.isEmpty)
            #expect(try check.judge(rows, keysMissing: true, depth: .folders).availability == closely)
            // Truncating a file in place does not change the folder's time.
            #expect(unsafe truncate(fixture.path(token, "video/2.ts").string, 10) == 0)
            #expect(try check.judge(rows, keysMissing: true, depth: .folders).availability == closely)
            #expect(try check.judge(rows, keysMissing: true, depth: .files).availability != closely)
        }
    }

    @Test("a link in place of a segment is damage, wherever it leads")
    func link() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.download("/v/index.m3u8").token
            let path = fixture.path(token, "video/1.ts")
            let copy = fixture.folder.file("copy")
            try FileManager.default.moveItem(atPath: path.string, toPath: copy)
            try FileManager.default.createSymbolicLink(atPath: path.string, withDestinationPath: copy)
            #expect(try fixture.store.reader.requireAsset(token).availability.blockedBy == [.segmentDamaged])
            #expect(try await fixture.store.verify(token).damaged == ["video/1.ts"])
        }
    }

    @Test("repair makes a deleted playlist again, without asking the origin")
    func playlist() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.download("/v/index.m3u8").token
            let before = try fixture.stored(token, "video/media.m3u8")
            try FileSystem.unlink(fixture.path(token, "video/media.m3u8"))
            fixture.origin.forgetRequests()
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            #expect(before != nil)
            #expect(try fixture.stored(token, "video/media.m3u8") == before)
            #expect(fixture.origin.requests.isEmpty)
        }
    }

    @Test("an unknown asset can neither be verified nor repaired")
    func unknown() async throws {
        try await StoreFixture.run { fixture async throws in
            let token = try #require(AssetToken("01ARYZ6S410000000000000000"))
            #expect(
                await failure { _ = try await fixture.store.verify(token) }?.text
                    == #"noSuchAsset("\#(token)")"#)
            #expect(
                await failure { try await fixture.store.repair(token) }?.text == #"noSuchAsset("\#(token)")"#)
        }
    }
}
