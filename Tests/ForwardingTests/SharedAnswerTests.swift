import Forwarding
import Foundation
import TestSupport
import Testing

@Suite("An answer for all clients", .timeLimit(.minutes(1)))
struct SharedAnswerTests {
    private let origin: OriginServer
    private let bytes = OriginResource.pattern(300_000)
    private static let path = "/shared/0.ts"

    init() throws {
        origin = try OriginServer()
        origin.serve(Self.path, bytes: bytes)
        origin.fault(Self.path, .header("Cache-Control: public, max-age=31536000, immutable"))
    }

    @Test("is requested once for clients that ask while it arrives")
    func once() async throws {
        let front = try Front(origin.url(""))
        origin.fault(Self.path, .stall(after: 1000))
        let first = try front.client()
        first.send("GET \(Self.path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        try await eventually { origin.requests.count == 1 }
        async let replies = withThrowingTaskGroup(of: Reply.self) { group in
            for number in 0..<20 {
                let range = number % 2 == 0 ? [] : ["Range: bytes=200000-"]
                group.addTask { try await front.exchange(Self.path, fields: range) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try await eventually { front.forwarder.counted.shared == 21 }
        origin.release()
        for reply in try await replies {
            #expect(reply.has(reply.status == 206 ? Array(bytes[200_000...]) : bytes))
        }
        #expect(try await blocking { Reply(first.readToEnd()) }.has(bytes))
        #expect(origin.requests.count == 1 && front.forwarder.counted.passedOn == 0)
        #expect(front.forwarder.counted.fetched == 1)
        await front.stop()
    }

    @Test("comes from the disk later, whole, in part, and under conditions")
    func kept() async throws {
        let front = try Front(origin.url(""))
        #expect(try await front.exchange(Self.path).has(bytes))
        try await eventually { front.kept == [300_000] }
        let again = try await front.exchange(Self.path)
        #expect(again.has(bytes) && again["Cache-Control"]?.contains("immutable") == true)
        let tag = try #require(again["ETag"])
        let part = try await front.exchange(Self.path, fields: ["Range: bytes=-10"])
        #expect(part.status == 206 && part.body == Array(bytes.suffix(10)))
        let same = try await front.exchange(Self.path, fields: ["If-None-Match: \(tag)"])
        #expect(same.status == 304 && same.body.isEmpty)
        let head = try await front.exchange(Self.path, method: "HEAD")
        #expect(head.status == 200 && head["Content-Length"] == "300000" && head.body.isEmpty)
        #expect(origin.requests.count == 1)
        #expect(front.forwarder.counted.shared == 5)
        await front.stop()
    }

    @Test("is kept when another server takes over which has the same bytes, and not when it has others")
    func takeover() async throws {
        let front = try Front(origin.url(""), validity: .zero)
        _ = try await front.exchange(Self.path)
        try await eventually { front.kept == [300_000] }
        origin.stop()
        let second = try OriginServer()
        second.serve(Self.path, bytes: bytes)
        second.fault(Self.path, .header("Cache-Control: public, max-age=31536000, immutable"))
        front.go(to: second.url(""))
        #expect(try await front.exchange(Self.path).has(bytes))
        #expect(second.requests.map(\.status) == [304])
        let third = try OriginServer()
        let other = OriginResource.pattern(1000, seed: 9)
        third.serve(Self.path, bytes: other)
        front.go(to: third.url(""))
        #expect(try await front.exchange(Self.path).has(other))
        await front.stop()
    }

    @Test("is confirmed by the other server when that was long ago, and requested anew when it has changed")
    func confirmation() async throws {
        let front = try Front(origin.url(""), validity: .zero)
        _ = try await front.exchange(Self.path)
        try await eventually { front.kept == [300_000] }
        #expect(try await front.exchange(Self.path).has(bytes))
        let asked = origin.requests
        #expect(asked.count == 2 && asked[1].header("If-None-Match") != nil && asked[1].status == 304)
        #expect(front.forwarder.counted.fetched == 2)
        let other = OriginResource.pattern(1000, seed: 9)
        origin.serve(Self.path, bytes: other)
        #expect(try await front.exchange(Self.path).has(other))
        origin.remove(Self.path)
        #expect(try await front.exchange(Self.path).status == 404)
        try await eventually { front.kept == [] }
        await front.stop()
    }

    @Test("is not kept from a client when the other server can't be asked, nor lost")
    func unreachable() async throws {
        let front = try Front(origin.url(""), validity: .zero)
        _ = try await front.exchange(Self.path)
        try await eventually { front.kept == [300_000] }
        origin.fault(Self.path, .raw(""))
        #expect(try await front.exchange(Self.path).status == 503)
        origin.clearFaults(Self.path)
        #expect(front.kept == [300_000])
        #expect(try await front.exchange(Self.path).has(bytes))
        await front.stop()
    }

    @Test(
        "that is for one client alone is requested for each",
        arguments: ["no-store", "private, max-age=9", "", "public,no-store", "max-age=9, Public, No-Cache"])
    func alone(control: String) async throws {
        let front = try Front(origin.url(""))
        origin.clearFaults(Self.path)
        if !control.isEmpty { origin.fault(Self.path, .header("Cache-Control: \(control)")) }
        for _ in 0..<2 { #expect(try await front.exchange(Self.path).has(bytes)) }
        #expect(front.forwarder.counted.passedOn == 2 && front.kept == [])
        await front.stop()
    }

    @Test("that breaks is broken for the clients that wait, and whole for the next one")
    func broken() async throws {
        let front = try Front(origin.url(""))
        origin.fault(Self.path, .truncate(after: 100_000), times: 1)
        #expect(try await front.exchange(Self.path).body.count < 300_000)
        try await eventually { front.kept == [] }
        #expect(try await front.exchange(Self.path).has(bytes))
        await front.stop()
    }

    @Test("makes room for newer ones")
    func room() async throws {
        let front = try Front(origin.url(""), size: 3_000_000)
        for number in 0..<20 {
            let path = "/shared/\(number).ts"
            origin.serve(path, bytes: bytes)
            origin.fault(path, .header("Cache-Control: public, max-age=60"))
            #expect(try await front.exchange(path).has(bytes))
        }
        // Ten fill the room. The eleventh makes the two oldest leave, so that a tenth of the room is free.
        try await eventually { front.kept.count == 10 }
        // The newest is still there, the oldest is not.
        origin.forgetRequests()
        #expect(try await front.exchange("/shared/19.ts").has(bytes))
        #expect(origin.requests.isEmpty)
        #expect(try await front.exchange("/shared/0.ts").has(bytes))
        #expect(origin.requests.count == 1)
        await front.stop()
    }

    @Test("takes an eighth of the room at most")
    func largest() async throws {
        for (room, isKept) in [(8 * UInt64(bytes.count), true), (8 * UInt64(bytes.count) - 1, false)] {
            let front = try Front(origin.url(""), size: room)
            #expect(try await front.exchange(Self.path).has(bytes))
            #expect(front.kept.isEmpty != isKept)
            await front.stop()
        }
    }

    @Test("is passed on where nothing can be written")
    func unwritable() async throws {
        let front = try Front(origin.url(""))
        try FileManager.default.removeItem(atPath: front.folder.file("kept"))
        _ = try front.folder.write([1], to: "kept")
        for _ in 0..<2 { #expect(try await front.exchange(Self.path).has(bytes)) }
        #expect(front.forwarder.counted.passedOn == 2)
        // Nothing is written for a while, also after the folder is back.
        try FileManager.default.removeItem(atPath: front.folder.file("kept"))
        try FileManager.default.createDirectory(
            atPath: front.folder.file("kept"), withIntermediateDirectories: false)
        #expect(try await front.exchange(Self.path).has(bytes))
        #expect(front.forwarder.counted.passedOn == 3 && front.kept == [])
        await front.stop()
    }

    @Test("is not fetched whole for a client that asks for its head, for a part, or under a condition")
    func partial() async throws {
        let front = try Front(origin.url(""))
        let cases = [
            ("HEAD", []), ("GET", ["Range: bytes=0-9"]), ("GET", [#"If-None-Match: "other""#]),
            ("HEAD", ["If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT"]),
        ]
        for (number, (method, fields)) in cases.enumerated() {
            let answer = try await front.exchange(Self.path, method: method, fields: fields)
            #expect(answer.status == (fields.contains { $0.hasPrefix("Range") } ? 206 : 200))
            #expect(front.forwarder.counted.passedOn == number + 1)
        }
        #expect(front.forwarder.counted.fetched == 0 && front.kept == [])
        await front.stop()
    }

    @Test("that has changed gives back the room of the former one alone")
    func changed() async throws {
        let front = try Front(origin.url(""), size: 3_000_000, validity: .zero)
        for number in 0..<20 {
            let path = "/shared/\(number).ts"
            origin.serve(path, bytes: bytes)
            origin.fault(path, .header("Cache-Control: public, max-age=60"))
            #expect(try await front.exchange(path).has(bytes))
            if number == 5 {
                let other = OriginResource.pattern(300_000, seed: 9)
                origin.serve("/shared/4.ts", bytes: other)
                #expect(try await front.exchange("/shared/4.ts").has(other))
            }
        }
        try await eventually { front.kept.count <= 10 }
        await front.stop()
    }

    @Test("is confirmed on the connection on which it came")
    func connection() async throws {
        let front = try Front(origin.url(""), validity: .zero)
        _ = try await front.exchange(Self.path)
        try await eventually { front.kept == [300_000] }
        for _ in 0..<3 { #expect(try await front.exchange(Self.path).has(bytes)) }
        #expect(origin.requests.count == 4 && origin.connectionCount == 1)
        await front.stop()
    }

    @Test("comes from its open file after somebody has deleted it; at most 256 files are open")
    func openFiles() async throws {
        let front = try Front(origin.url(""))
        let paths = (0...256).map { "/shared/open/\($0).ts" }
        for path in paths {
            origin.serve(path, bytes: [7])
            origin.fault(path, .header("Cache-Control: public, max-age=60"))
        }
        // The second request for each opens its file.
        for path in paths.prefix(256) {
            for _ in 0..<2 { #expect(try await front.exchange(path).body == [7]) }
        }
        let folder = front.folder.file("kept")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        #expect(try await front.exchange(paths[0]).body == [7])
        #expect(origin.requests(for: paths[0]).count == 1)
        // With one more, the others are closed.
        for _ in 0..<2 { #expect(try await front.exchange(paths[256]).body == [7]) }
        #expect(try await front.exchange(paths[0]).body == [7])
        #expect(origin.requests(for: paths[0]).count == 2)
        await front.stop()
    }

    @Test("is requested again when somebody has deleted its file")
    func deleted() async throws {
        for validity in [Duration.zero, .seconds(600)] {
            let front = try Front(origin.url(""), validity: validity)
            _ = try await front.exchange(Self.path)
            try await eventually { front.kept == [300_000] }
            let folder = front.folder.file("kept")
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            }
            #expect(try await front.exchange(Self.path).has(bytes))
            try await eventually { front.kept == [300_000] }
            #expect(front.forwarder.counted.passedOn == 0)
            await front.stop()
        }
    }
}
