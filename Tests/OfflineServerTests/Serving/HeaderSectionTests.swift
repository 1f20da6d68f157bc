import AssetStore
import TestSupport
import Testing

@testable import OfflineServer

/// RFC 9112, section 11.1.
@Suite("The header section of an answer", .fewAtOnce, .timeLimit(.minutes(2)))
struct HeaderSectionTests {
    private static let evil = "a/b\r\nX-Evil: 1\r\n\r\nX-Evil: 2"

    /// No line was added, and the section did not end before its end.
    private func expectUnsplit(_ reply: Reply, _ target: String) {
        #expect(reply.isWhole && reply["X-Evil"] == nil, "\(target)")
    }

    @Test(
        "gets no line from the request, in any coding",
        arguments: [
            "%0d%0aX-Evil:%201", "%0D%0A%0D%0AX-Evil:%201", "%0aX-Evil:%201", "%E5%98%8D%E5%98%8AX-Evil:1",
        ])
    func asked(line: String) async throws {
        try await withSample(allowing: ["*"]) { site, token in
            let secret = try #require(APIToken.existing(site.server.store.paths.apiToken))
            for target in [
                "/\(line)", "/watch/\(line)", "/t/\(line)", "/t/\(secret)?\(line)", "/t/\(secret)\(line)",
                "/assets/\(line)/master.m3u8", "/assets/\(token)/\(line)", "/assets/\(token)/\(line)/0.ts",
                "/assets/\(token)/keys/\(line).key", "/assets/\(token)/subtitles/\(line).vtt",
                "/assets/\(token)/master.m3u8?audio=\(line)", "/assets/\(token)/master.m3u8?\(line)=1",
                "/api/v1/\(line)", "/api/v1/assets/\(line)", "/api/v1/assets?state=\(line)",
            ] {
                for method in ["GET", "OPTIONS"] {
                    expectUnsplit(try await site.request(method, target), target)
                    let fields = ["Origin": "http://page.test\(line)"]
                    expectUnsplit(try await site.request(method, target, fields), target)
                }
            }
        }
    }

    @Test(
        "gets no line from the name of an asset, nor from the media types of its origin and its key provider"
    )
    func stored() async throws {
        let origin = try OriginServer()
        ClearTests.serve(
            on: origin, ClearTests.text,
            key: #"#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://k/1",KEYFORMAT="com.apple.streamingkeydelivery""#)
        origin.serve("/1.ts", bytes: ClearTests.text, contentType: "video/mp2t;\r\n X-Evil: 1")
        try await withSite { site in
            var request = AssetRequest(url: origin.url("/index.m3u8"))
            (request.name, request.allowsMissingKeys) = (Self.evil, true)
            let token = try await site.server.store.intake.add(request).token
            await site.server.store.untilSettled(token)
            let isDeposited = try site.server.store.licenses.depositKey(
                Array("blob".utf8), "k0", of: token, contentType: Self.evil)
            #expect(isDeposited)
            let folder = "/assets/\(token)"
            for target in [
                "/", "/watch/\(token)", "/api/v1/assets", "/api/v1/assets/\(token)", "\(folder)/master.m3u8",
                "\(folder)/video/media.m3u8", "\(folder)/video/1.ts", "\(folder)/keys/k0.key",
            ] {
                let reply = try await site.get(target)
                #expect(reply.status == 200, "\(target)")
                expectUnsplit(reply, target)
            }
            let key = try await site.get("\(folder)/keys/k0.key")
            #expect(key.text == "blob" && key["Content-Type"]?.hasPrefix("a/b ") == true)
        }
        origin.stop()
    }
}
