import AssetStore
import Foundation
import Glibc
import HTTPTypes
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Segments in the clear, ClearKey licenses and deposited keys", .fewAtOnce, .timeLimit(.minutes(2)))
struct ClearTests {
    /// `text`, as OpenSSL encrypts it with AES-128-CBC, key 000102…0f and IV 1.
    static let segment = Secret.bytes(
        base64: """
            iVd/oTVOpZ8bdlmuBcMkWYXzwCtiJn01qstcRi8S5udezvWS//yP0H9GZ/UxpC5zQb3h9S7XXPw+yvi1oSMzy0Cq\
            iHLlJdJog3oOZAo3OGf/d17eiUgOgQ7gsSI/AOWnhm0jIzCWhoVNJN/goVtIyzGPgjGqSGMABxrAPwe0/0IAjoWM\
            RbicEQYeRjNBo3YZTjSLMs/iB/t2yaaELS8CroDNPt2+F84K5t9JoMRdC2VPsZtwZYw27Z9MBlHn9mvQiKo1W/2P\
            dYVZwZoIhpod78o8do7DKZY9Me3hqhyTbuWiHBw390YAURB4Zb+0tNADGkgXqGVcDU6vLWxYZ1vAJb2pIBF/AnYQ\
            HAeXLikEDQuewaZV8LUj7NWCoQLKG5ROJvO1bTzrk3BwmPXfJwNY6IOrGVz1KIlkOzFuNfj68JL0YWg/s8BYqPJG\
            cZt4B0ImNRVSUCn23NKHHEGMxcat8MV9uBWgVeK71gN4WvvC+Jg1klojrM1i90OaFNiXgCAx
            """)
    /// Two transport packets, with 'Hello, clear world!' behind the header of a PES packet.
    static let text = [UInt8](0x10...0x11).flatMap { control in
        let head: [UInt8] = [0x47, 0x41, 0, control, 0, 0, 1, 0xE0, 0, 0, 0x80, 0, 0]
        return head + Array(String(repeating: "Hello, clear world! ", count: 9).utf8).prefix(175)
    }

    /// A fragment that no media is in, encrypted by `scheme`.
    private static func serveFragment(on origin: OriginServer, scheme: String) {
        let entry = ProtectedMovie.entry(ProtectedMovie.protection(scheme, [UInt8](32..<48)))
        origin.serve("/init.mp4", bytes: ProtectedMovie.initialization([[entry]]))
        serve(
            on: origin, ProtectedMovie.box("moof", []) + ProtectedMovie.box("mdat", [1, 2, 3]), name: "1.m4s",
            key: #"#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI="k"\#n#EXT-X-MAP:URI="init.mp4""#)
    }

    /// Serves a stream of one encrypted segment.
    static func serve(
        on origin: OriginServer, _ segment: [UInt8], name: String = "1.ts",
        key: String = #"#EXT-X-KEY:METHOD=AES-128,URI="k""#
    ) {
        origin.serve("/k", bytes: SampleStream.key)
        origin.serve("/\(name)", bytes: segment)
        origin.serve(
            "/index.m3u8",
            text: """
                #EXTM3U
                #EXT-X-TARGETDURATION:2
                #EXT-X-MEDIA-SEQUENCE:1
                \(key)
                #EXTINF:2,
                \(name)
                #EXT-X-ENDLIST

                """)
    }

    private func withStream(_ body: (Site, AssetToken) async throws -> Void) async throws {
        let origin = try OriginServer()
        Self.serve(on: origin, Self.segment)
        try await withSite { site in
            let store = site.server.store
            let token = try await store.intake.add(AssetRequest(url: origin.url("/index.m3u8"))).token
            await store.untilSettled(token)
            try await body(site, token)
        }
        origin.stop()
    }

    @Test("playlists lead to segments without keys, and segments come decrypted, in whole and in part")
    func clear() async throws {
        try await withStream { site, token in
            let master = try await site.get("/assets/\(token)/master.m3u8?decrypt=1")
            #expect(master.text.contains("video/media.m3u8?decrypt=1"))
            let list = try await site.get("/assets/\(token)/video/media.m3u8?decrypt=1")
            #expect(!list.text.contains("EXT-X-KEY") && list.text.contains("1.ts?decrypt=1"))
            let path = "/assets/\(token)/video/1.ts?decrypt=1"
            let whole = try await site.get(path)
            #expect(whole.status == 200 && whole.body == Self.text)
            #expect(whole["Cache-Control"] == "no-store" && whole["Content-Type"] == "video/mp2t")
            let part = try await site.get(path, ["Range": "bytes=20-24"])
            #expect(part.status == 206 && part.text == "clear")
            #expect(part["Content-Range"] == "bytes 20-24/\(Self.text.count)")
            #expect(try await site.request("HEAD", path)["Content-Length"] == "\(Self.text.count)")
            #expect(try await site.get("/assets/\(token)/video/1.ts").body == Self.segment)
        }
    }

    @Test("a tag identifies a segment decrypted with one set of keys, and is valid as long as these stay")
    func tags() async throws {
        try await withStream { site, token in
            func tag() async throws -> String? {
                try await site.get("/assets/\(token)/video/1.ts?decrypt=1")["ETag"]
            }
            func add(_ byte: UInt8) throws {
                let key = Secret.key([UInt8](repeating: byte, count: 16))
                let identifier = [UInt8](repeating: 0xFB, count: 16)
                try site.server.store.licenses.addKey(key, identifier: identifier, to: token)
            }
            let first = try #require(try await tag())
            #expect(try await tag() == first)
            try add(0xA5)
            let second = try await tag()
            try add(0xA6)
            let third = try await tag()
            #expect(Set([first, second, third]).count == 3)
            try add(0xA5)
            #expect(try await tag() == second)
        }
    }

    @Test("nothing comes in the clear without a valid license")
    func license() async throws {
        try await withStream { site, token in
            try site.server.store.licenses.revoke(token)
            for path in ["master.m3u8", "video/media.m3u8", "video/1.ts"] {
                let reply = try await site.get("/assets/\(token)/\(path)?decrypt=1")
                #expect(reply.status == 403, "\(path)")
            }
        }
    }

    @Test("without a key, or by a method that is not known, nothing is served as if it were clear")
    func refused() async throws {
        let origin = try OriginServer()
        let skd =
            #"#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://key/1",KEYFORMAT="com.apple.streamingkeydelivery""#
        let cases = [
            (skd, "key-missing", 404), (#"#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI="k""#, "integrity", 404),
        ]
        for (tag, type, status) in cases {
            Self.serve(on: origin, Self.text, key: tag)
            try await withSite { site in
                var request = AssetRequest(url: origin.url("/index.m3u8"))
                request.allowsMissingKeys = true
                let token = try await site.server.store.intake.add(request).token
                await site.server.store.untilSettled(token)
                let reply = try await site.get("/assets/\(token)/video/1.ts?decrypt=1")
                #expect(reply.status == status && reply["Content-Type"] == "application/problem+json")
                #expect(reply.object["type"] as? String == "tag:offline-server,2026:\(type)")
                #expect(try await site.get("/assets/\(token)/video/1.ts").body == Self.text)
            }
        }
        origin.stop()
    }

    @Test(
        "fragmented MP4 of a scheme that is not known is refused by its name, initialization section and all")
    func unknownScheme() async throws {
        let origin = try OriginServer()
        Self.serveFragment(on: origin, scheme: "piff")
        try await withSite { site in
            let token = try await site.server.store.intake.add(AssetRequest(url: origin.url("/index.m3u8")))
                .token
            await site.server.store.untilSettled(token)
            for name in ["1.m4s", "init-0.mp4"] {
                let reply = try await site.get("/assets/\(token)/video/\(name)?decrypt=1")
                #expect(reply.status == 404 && reply.text.contains("encrypted by piff"), "\(name)")
            }
        }
        origin.stop()
    }

    @Test("a file that goes away just before it is opened is not there")
    func gone() throws {
        let token = try #require(AssetToken("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
        for code: StoreError.Code in [
            .file(.open, "1.ts", errno: ENOENT), .file(.open, "1.ts", errno: ELOOP),
        ] {
            let problem = StoreError(code).mediaProblem(token)
            #expect(problem.status == .notFound && problem.detail.contains("repair"))
        }
        #expect(
            StoreError(.file(.open, "1.ts", errno: EIO)).mediaProblem(token).status == .internalServerError)
    }

    @Test("a segment in the clear whose initialization section is gone is answered like that section")
    func goneSection() async throws {
        let origin = try OriginServer()
        Self.serveFragment(on: origin, scheme: "cenc")
        try await withSite { site in
            let token = try await site.server.store.intake.add(AssetRequest(url: origin.url("/index.m3u8")))
                .token
            await site.server.store.untilSettled(token)
            try FileManager.default.removeItem(atPath: site.file(token, "video/init-0.mp4"))
            let section = try await site.get("/assets/\(token)/video/init-0.mp4")
            let reply = try await site.get("/assets/\(token)/video/1.m4s?decrypt=1")
            #expect(reply.status == 503 && reply["Retry-After"] != nil)
            #expect(reply.body == section.body && reply.text.contains("repair"))
        }
        origin.stop()
    }

    @Test("a ClearKey license has the keys that are asked for, as JSON Web Keys")
    func clearKey() async throws {
        try await withStream { site, token in
            let store = site.server.store
            try store.licenses.addKey(
                [UInt8](0..<16), identifier: [UInt8](repeating: 0xFB, count: 16), to: token)
            let path = "/assets/\(token)/clearkey"
            let identifier = "-_v7-_v7-_v7-_v7-_v7-w"
            let reply = try await site.post(
                path, #"{"kids": ["\#(identifier)", "AAAA"], "type": "temporary"}"#)
            #expect(reply.status == 200 && reply["Cache-Control"] == "no-store")
            let keys = try #require(reply.object["keys"] as? [[String: String]])
            #expect(keys == [["kty": "oct", "kid": identifier, "k": "AAECAwQFBgcICQoLDA0ODw"]])
            #expect(try await site.post(path, "{}").status == 400)
            #expect(try await site.get(path).status == 405)
            let foreign = try await site.post(path, "{}", ["Origin": "http://evil.test"])
            #expect(foreign.status == 403)
        }
    }

    @Test("a blob takes the place of a key system's key under the conditions that its depositor names")
    func depositConditions() async throws {
        let origin = try OriginServer()
        Self.serve(
            on: origin, Self.text,
            key: #"#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://k/1",KEYFORMAT="com.apple.streamingkeydelivery""#)
        try await withSite { site in
            var request = AssetRequest(url: origin.url("/index.m3u8"))
            request.allowsMissingKeys = true
            let token = try await site.server.store.intake.add(request).token
            let path = "/assets/\(token)/keys/k0.key"
            func put(_ fields: [String: String], _ blob: String = "blob") async throws -> Int {
                try await site.request("PUT", path, fields, body: blob).status
            }
            #expect(try await put([:], "") == 400)
            #expect(try await put(["If-Match": "*"]) == 412)
            #expect(try await put(["If-None-Match": "*"]) == 201)
            #expect(try await put(["If-None-Match": "*"], "other") == 412)
            #expect(try await put(["If-Match": "\"x\""], "other") == 412)
            #expect(try await site.get(path).text == "blob")
            // The tags of clear responses include it.
            let first = try site.server.store.keys.digestOfGivenKeys(token)
            #expect(try await put(["If-Match": "*"], "other") == 204)
            #expect(try await site.get(path).text == "other")
            let second = try site.server.store.keys.digestOfGivenKeys(token)
            #expect(!first.isEmpty && !second.isEmpty && first != second)
        }
        origin.stop()
    }

    @Test("a blob is deposited in the place of a key system's key, and nowhere else")
    func deposit() async throws {
        try await withStream { site, token in
            let path = "/assets/\(token)/keys/k0.key"
            #expect(try await site.request("PUT", path, body: "blob").status == 404)
            #expect(try await site.get(path).body == [UInt8](0..<16))
            let options = try await site.request("OPTIONS", path)
            #expect(options["Allow"] == "GET, HEAD, PUT, OPTIONS")
            let listed = try await site.get("/api/v1/assets/\(token)/keys")
            let keys = try #require(listed.object["keys"] as? [[String: Any]])
            #expect(keys.first?["id"] as? String == "k0" && keys.first?["stored"] as? Bool == true)
        }
    }

    @Test("a key is added by a command, and shown without a byte of it")
    func addKey() async throws {
        let (program, token) = try await Program.withSample()
        let (kid, key) = (String(repeating: "ab", count: 16), String(repeating: "c7", count: 16))
        Secret.key([UInt8](repeating: 0xC7, count: 16))
        let added = try await program.run("key", "add", token.description, "\(kid):\(key)", "--json")
        #expect(added.status == 0)
        #expect(added.output.contains(kid) && !added.output.contains(key))
        #expect(try await program.run("key", "add", token.description, "\(kid):12").status == 64)
        let preloaded = try await program.run("preload", "http://127.0.0.1:1/x.m3u8")
        #expect(preloaded.status == 1)
    }
}
