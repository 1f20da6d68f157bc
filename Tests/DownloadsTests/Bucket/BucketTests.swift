import ObjectStorage
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

@Suite("Media in a bucket", .enabled(if: ObjectServer.Engine.moto.runs), .serialized)
struct BucketTests {
    @Test("are there when they are stored, and play when the store's folder has lost them")
    func plays() async throws {
        try await BucketFixture.run { bucket in
            let segments = bucket.fixture.origin.serveStream("/v", count: 4)
            let token = try await bucket.fixture.download("/v/index.m3u8").token
            let keys = try await bucket.client().list().objects.map(\.key)
            #expect(keys.count == 4 && keys.allSatisfy { ObjectName($0)?.token == token })
            try bucket.loseFiles(token)
            bucket.fixture.origin.remove("/v/index.m3u8")
            let asset = try bucket.store.reader.requireAsset(token)
            #expect(asset.isPlayableOffline && asset.state == .complete)
            for number in segments.indices {
                #expect(try await bucket.play(token, number) == segments[number])
            }
            #expect(bucket.fileCount(token) == 4)
            try bucket.loseFiles(token)
            let result = try await bucket.store.repairer.verify(token)
            #expect(result.damaged.isEmpty)
        }
    }

    @Test("are all in the store's folder again when a reader has waited for all of them")
    func fetched() async throws {
        try await BucketFixture.run { bucket in
            bucket.fixture.origin.serveStream("/v", count: 4)
            let token = try await bucket.fixture.download("/v/index.m3u8").token
            try bucket.loseFiles(token)
            let units = try (0..<4).compactMap { number -> AbsentUnit? in
                let answer = try bucket.store.reader.media.unit(
                    token, "video", named: .segment(number), extension: "ts")
                guard case .absent(let unit) = answer else { return nil }
                return unit
            }
            #expect(units.count == 4 && bucket.fileCount(token) == 0)
            #expect(await bucket.store.media.fetch(units, counts: false))
            #expect(bucket.fileCount(token) == 4)
        }
    }

    @Test("are read by all readers with one request")
    func oneRequest() async throws {
        try await BucketFixture.run { bucket in
            let segments = bucket.fixture.origin.serveStream("/v", count: 1)
            let token = try await bucket.fixture.download("/v/index.m3u8").token
            try bucket.loseFiles(token)
            let answer = try bucket.store.reader.media.unit(
                token, "video", named: .segment(0), extension: "ts")
            guard case .absent(let unit) = answer, let object = unit.bucket else {
                Issue.record("\(answer)")
                return
            }
            let media = try #require(bucket.store.bucket)
            let files = (0..<20).map { _ in media.arriving(object) }
            #expect(files.allSatisfy { $0 === files[0] })
            #expect(try await ArrivingFile(files[0]).ended())
            #expect(try files[0].read(at: 0, count: 1 << 30) == segments[0])
        }
    }

    @Test("are fetched once more if their bytes are wrong, then count as damaged; no player gets all of them")
    func damaged() async throws {
        try await BucketFixture.run { bucket in
            let segments = bucket.fixture.origin.serveStream("/v", count: 2)
            let token = try await bucket.fixture.download("/v/index.m3u8").token
            let client = try bucket.client()
            let key = try #require(try await client.list("\(token)/video/1.ts").objects.first?.key)
            var bytes = segments[1]
            bytes[100] ^= 1
            try await client.put(bytes, to: key)
            try bucket.loseFiles(token)
            #expect(try await bucket.play(token, 1) == nil)
            while try bucket.store.reader.requireAsset(token).isPlayableOffline {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(try await bucket.play(token, 0) == segments[0])
            _ = try await bucket.store.repairer.repair(token)
            await bucket.store.untilSettled(token)
            #expect(try await bucket.play(token, 1) == segments[1])
            #expect(try await client.list("\(token)/video/1.ts").objects.count == 2)
            #expect(try await bucket.store.bucket?.collect(olderThan: -60) == 1)
            try bucket.loseFiles(token)
            #expect(try await bucket.play(token, 1) == segments[1])
        }
    }

    @Test("that were lost and are put back as they were play again, and are not collected meanwhile")
    func putBack() async throws {
        try await BucketFixture.run { bucket in
            let segments = bucket.fixture.origin.serveStream("/v", count: 3)
            let token = try await bucket.fixture.download("/v/index.m3u8").token
            let client = try bucket.client()
            let keys = try await client.list("\(token)/video/").objects.map(\.key).sorted()
            for number in [0, 1] { try await bucket.replace(token, number, by: nil) }
            try await bucket.replace(token, 2, by: segments[1])
            try bucket.loseFiles(token)
            bucket.fixture.origin.remove("/v/index.m3u8")
            let repairer = bucket.store.repairer
            #expect(try await repairer.verify(token).missing == ["video/0.ts", "video/1.ts"])
            for number in [0, 2] { try await client.put(segments[number], to: keys[number]) }
            try await client.put(segments[0], to: keys[1])
            #expect(try await bucket.store.bucket?.collect(olderThan: -60) == 0)
            let result = try await repairer.verify(token)
            #expect(result.returned == ["video/0.ts", "video/2.ts"] && result.missing == ["video/1.ts"])
            try await client.put(segments[1], to: keys[1])
            _ = try await repairer.repair(token)
            let asset = try bucket.store.reader.requireAsset(token)
            #expect(asset.state == .complete && asset.isPlayableOffline)
            for number in segments.indices {
                #expect(try await bucket.play(token, number) == segments[number])
            }
        }
    }

    @Test(
        "that are shorter than they were stored are damaged like those with other bytes, and the others of the asset play",
        arguments: [0, 7])
    func short(_ length: Int) async throws {
        try await BucketFixture.run { bucket in
            let segments = bucket.fixture.origin.serveStream("/v", count: 4)
            let token = try await bucket.fixture.download("/v/index.m3u8").token
            for number in [1, 2] {
                try await bucket.replace(token, number, by: Array(segments[number].prefix(length)))
            }
            try bucket.loseFiles(token)
            #expect(try await bucket.play(token, 1) == nil)
            try await eventually { try !bucket.store.reader.requireAsset(token).isPlayableOffline }
            let result = try await bucket.store.repairer.verify(token)
            #expect(Set(result.missing + result.damaged) == ["video/1.ts", "video/2.ts"])
            _ = try await bucket.store.repairer.repair(token)
            await bucket.store.untilSettled(token)
            try bucket.loseFiles(token)
            for number in segments.indices {
                #expect(try await bucket.play(token, number) == segments[number])
            }
            #expect(try await bucket.store.repairer.verify(token).isSound)
        }
    }

    @Test(
        "are read from the bucket when an asset is verified, also where the cache has copies, from which they are put back without the origin",
        arguments: [true, false])
    func verified(hasCopies: Bool) async throws {
        try await BucketFixture.run { bucket in
            let segments = bucket.fixture.origin.serveStream("/v", count: 5)
            let token = try await bucket.fixture.download("/v/index.m3u8").token
            let repairer = bucket.store.repairer
            let first = try await repairer.verify(token)
            #expect(first.isSound && first.objects == 5 && first.mediaPlace == "s3://media/store/")
            var flipped = segments[1]
            flipped[100] ^= 1
            try await bucket.replace(token, 1, by: flipped)
            try await bucket.replace(token, 2, by: nil)
            try await bucket.replace(token, 3, by: segments[3] + [0])
            if hasCopies {
                bucket.fixture.origin.remove("/v/index.m3u8")
            } else {
                try bucket.loseFiles(token)
            }
            let found = try await repairer.verify(token)
            #expect(found.missing == ["video/2.ts"] && found.damaged == ["video/1.ts", "video/3.ts"])
            #expect(found.copies.count == (hasCopies ? 3 : 0) && found.health == .damaged)
            #expect(try bucket.store.reader.requireAsset(token).isPlayableOffline == hasCopies)
            if hasCopies { #expect(try await bucket.play(token, 2) == segments[2]) }
            let requests = bucket.fixture.origin.requests.count
            #expect(try await repairer.repair(token))
            await bucket.store.untilSettled(token)
            #expect(bucket.fixture.origin.requests.count == requests || !hasCopies)
            let again = try await repairer.verify(token)
            #expect(again.isSound && again.objects == 5 && again.health == .sound)
            try bucket.loseFiles(token)
            for number in segments.indices {
                #expect(try await bucket.play(token, number) == segments[number])
            }
            #expect(try await bucket.store.bucket?.collect(olderThan: -60) == 2)
        }
    }

    @Test("keep a copy of a lost object when the cache is full, and delete a copy with other bytes")
    func copies() async throws {
        try await BucketFixture.run(cacheSize: 15_000) { bucket in
            let segments = bucket.fixture.origin.serveStream("/v", count: 12)
            let token = try await bucket.fixture.download("/v/index.m3u8").token
            let media = try #require(bucket.store.bucket)
            media.cache.settle()
            let folder = bucket.store.paths.rendition(token, "video")
            let kept = FileSystem.names(in: folder).compactMap {
                $0.hasSuffix(".ts") ? Int($0.dropLast(3)) : nil
            }
            #expect(kept.count > 1)
            let (lost, changed) = (try #require(kept.first), try #require(kept.last))
            var flipped = segments[changed]
            flipped[100] ^= 1
            try DurableWrite.write(flipped, to: folder.appending("\(changed).ts"))
            try await bucket.replace(token, lost, by: nil)
            let found = try await bucket.store.repairer.verify(token)
            #expect(found.missing == ["video/\(lost).ts"] && found.copies == found.missing)
            #expect(found.damaged.isEmpty && FileSystem.isAbsent(folder.appending("\(changed).ts")))
            for number in segments.indices where number != lost {
                #expect(try await bucket.play(token, number) == segments[number])
            }
            media.cache.settle()
            #expect(try await bucket.play(token, lost) == segments[lost])
        }
    }

    @Test("wait while the bucket is away: nothing is stored that it lacks, and cached media play")
    func away() async throws {
        try await BucketFixture.run(faults: (0, 0)) { bucket in
            let segments = bucket.fixture.origin.serveStream("/v", count: 2)
            bucket.fixture.origin.serveStream("/w", count: 2)
            let first = try await bucket.fixture.download("/v/index.m3u8").token
            try bucket.server.setFaults("away", share: 1)
            let waiting = try await bucket.fixture.add("/w/index.m3u8")
            try await eventually { try bucket.store.reader.progress(of: waiting)?.reason == "bucket" }
            let row = try #require(try bucket.store.catalog.renditions.rendition(waiting, "video"))
            #expect(row.storedBytes == 0)
            #expect(try await bucket.play(first, 0) == segments[0])
            try bucket.loseFiles(first)
            #expect(try await bucket.play(first, 0) == nil)
            #expect(try bucket.store.reader.requireAsset(first).isPlayableOffline)
            try bucket.server.setFaults("all", share: 0)
            #expect(try await bucket.play(first, 0) == segments[0])
            await bucket.store.untilSettled(waiting)
            #expect(try bucket.store.reader.requireAsset(waiting).state == .complete)
        }
    }

    @Test("wait when the S3 server does not know the bucket any more, or the key", .timeLimit(.minutes(1)))
    func forgotten() async throws {
        try await BucketFixture.run { bucket in
            bucket.fixture.origin.serveStream("/v", count: 2)
            try bucket.forget()
            let token = try await bucket.fixture.add("/v/index.m3u8")
            try await eventually { try bucket.store.reader.progress(of: token)?.reason == "bucket" }
            #expect(try bucket.store.reader.progress(of: token)?.state == .queued)
        }
    }

    @Test("stay within the cache's size: the least recently used ones are deleted")
    func cache() async throws {
        try await BucketFixture.run(cacheSize: 15_000) { bucket in
            let segments = bucket.fixture.origin.serveStream("/v", count: 12)
            let size = segments.reduce(0) { $0 + $1.count }
            #expect(size > 15_000)
            let token = try await bucket.fixture.download("/v/index.m3u8").token
            let media = try #require(bucket.store.bucket)
            for _ in 0..<2 {
                for number in segments.indices {
                    #expect(try await bucket.play(token, number) == segments[number])
                }
                media.cache.settle()
                #expect(FileSystem.treeSize(bucket.store.paths.rendition(token, "video")) < 20_000)
            }
        }
    }

    @Test("of removed assets are collected after a while, and objects of others never")
    func collects() async throws {
        try await BucketFixture.run { bucket in
            bucket.fixture.origin.serveStream("/v", count: 2)
            bucket.fixture.origin.serveStream("/w", count: 2)
            let token = try await bucket.fixture.download("/v/index.m3u8").token
            let kept = try await bucket.fixture.download("/w/index.m3u8").token
            let client = try bucket.client()
            // The last one is of an asset that this catalog has never had.
            let others = [
                "notes.txt", "\(token)/video/9.ts", "\(token)/video/9.ts.x", "a/b/c/d",
                "01HZX3T5E8M9K2Q4R6S7V8W9XA/video/1.ts.abc-1",
            ]
            for key in others { try await client.put([1], to: key) }
            let media = try #require(bucket.store.bucket)
            #expect(try await media.collect(olderThan: -60) == 0)
            _ = try await bucket.store.control.perform(.remove, on: [token])
            await bucket.store.untilDisposed()
            #expect(try await media.collect() == 0)
            #expect(try await media.collect(olderThan: -60) == 2)
            let left = try await client.list().objects.map(\.key)
            #expect(Set(left.filter { !others.contains($0) }.map { ObjectName($0)?.token }) == [kept])
            #expect(others.allSatisfy(left.contains))
        }
    }

    @Test(
        "are never searched elsewhere: a store with a bucket opens neither without it nor with another bucket"
    )
    func places() async throws {
        let server = try ObjectServer()
        let settings = try BucketFixture.settings(server)
        let folder = try TemporaryDirectory()
        let first = try StoreFixture(in: folder) { $0.media = settings }
        first.origin.serveStream("/v", count: 1)
        _ = try await first.download("/v/index.m3u8")
        await first.store.stop()
        let other = try BucketFixture.settings(server, prefix: "other")
        for media in [nil, other] {
            do {
                _ = try StoreFixture(in: folder) { $0.media = media }
                Issue.record("it was opened")
            } catch let error as StoreError {
                #expect(error.message.hasPrefix("media of this store are in s3://media/store/"))
            }
        }
        let again = try StoreFixture(in: folder) { $0.media = settings }
        await again.store.stop()
    }

    @Test("are complete although one request in five fails")
    func faults() async throws {
        try await BucketFixture.run(faults: (0.2, .max)) { bucket in
            let segments = bucket.fixture.origin.serveStream("/v", count: 24)
            let token = try await bucket.fixture.add("/v/index.m3u8")
            await bucket.store.untilSettled(token)
            #expect(try bucket.store.reader.requireAsset(token).state == .complete)
            try bucket.loseFiles(token)
            try bucket.server.setFaults("cut flip reset lost-answer answer-503", share: 0.3)
            var whole = 0
            for number in segments.indices {
                guard let bytes = try await bucket.play(token, number) else { continue }
                #expect(bytes == segments[number])
                whole += 1
            }
            #expect(whole > 12)
            try bucket.server.setFaults("all", share: 0)
            #expect(try await bucket.store.bucket?.collect(olderThan: -60) ?? -1 >= 0)
            try bucket.loseFiles(token)
            for number in segments.indices {
                #expect(try await bucket.play(token, number) == segments[number])
            }
        }
    }

    @Test("stay stored when the network changes their bytes, which differ each time")
    func changedOnTheWay() async throws {
        try await BucketFixture.run(faults: (0, .max)) { bucket in
            let segments = bucket.fixture.origin.serveStream("/v", count: 2)
            let token = try await bucket.fixture.download("/v/index.m3u8").token
            try bucket.loseFiles(token)
            try bucket.server.setFaults("flip", share: 1)
            #expect(try await bucket.play(token, 0) == nil)
            await #expect(throws: StoreError.self) { try await bucket.store.repairer.verify(token) }
            #expect(try bucket.store.reader.requireAsset(token).isPlayableOffline)
            try bucket.server.setFaults("all", share: 0)
            // The fetch of before may still wait for its last answer, which this player then gets, too.
            let first = try await bucket.play(token, 0)
            let second = try await bucket.play(token, 0)
            #expect(second == segments[0] && (first == nil || first == second))
            #expect(try await bucket.store.repairer.verify(token).isSound)
        }
    }
}
