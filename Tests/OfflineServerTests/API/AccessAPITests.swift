import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer
@testable import OfflineServerCommands

@Suite("How an origin is asked, over the API", .fewAtOnce, .timeLimit(.minutes(2)))
struct AccessAPITests {
    private static let fresh = "Bearer 5ecret-new"

    /// A download that was refused, since its origin wants another token.
    private func refused(_ site: Site, _ origin: OriginServer) async throws -> (AssetToken, url: String) {
        let url = SampleStream().publish(on: origin)
        origin.fault("*", .require(header: "Authorization", value: Self.fresh))
        let body =
            #"{"url": "\#(url)", "headers": ["Authorization: Bearer old"], "headers_for": {"*.cdn.example": ["X: y"]}}"#
        let reply = try await site.post("/api/v1/assets", body)
        #expect(reply.status == 201)
        let asset = try #require(try site.server.store.reader.assets().first)
        await site.server.store.untilSettled(asset.token)
        #expect(try site.server.store.reader.requireAsset(asset.token).state == .failed)
        return (asset.token, url)
    }

    private func expectComplete(_ site: Site, _ token: AssetToken) async throws {
        await site.server.store.untilSettled(token)
        let asset = try site.server.store.reader.requireAsset(token)
        #expect(asset.state == .complete, "\(asset.failure?.message ?? "")")
    }

    @Test("PATCH takes fresh header fields, and the download goes on")
    func edit() async throws {
        let origin = try OriginServer()
        try await withSite { site in
            let (token, _) = try await refused(site, origin)
            let reply = try await site.request(
                "PATCH", "/api/v1/assets/\(token)", ["Content-Type": "application/json"],
                body: #"{"headers": ["Authorization: \#(Self.fresh)"]}"#)
            #expect(reply.status == 200 && !reply.text.contains("5ecret"))
            try await expectComplete(site, token)
        }
    }

    @Test("relink takes them with an address, and the download goes on")
    func relink() async throws {
        let origin = try OriginServer()
        try await withSite { site in
            let (token, url) = try await refused(site, origin)
            let body = #"{"url": "\#(url)", "headers_for": {"127.0.0.1": ["Authorization: \#(Self.fresh)"]}}"#
            let reply = try await site.post("/api/v1/assets/\(token)/relink", body)
            #expect(reply.status == 200 && !reply.text.contains("5ecret"))
            try await expectComplete(site, token)
        }
    }

    @Test(
        "a text that is not a header field, and a pattern that names no hosts, are refused",
        arguments: [
            #""headers": ["a b: c"]"#, #""headers_for": {"a/b": ["X: y"]}"#, #""headers_for": {"h": ["x"]}"#,
            #""headers_for": ["X: y"]"#,
        ])
    func malformed(_ member: String) async throws {
        try await withSample { site, token in
            let url = #""url": "http://127.0.0.1:1/""#
            #expect(try await site.post("/api/v1/assets", "{\(url), \(member)}").status == 400)
            #expect(
                try await site.post("/api/v1/assets/\(token)/relink", "{\(url), \(member)}").status == 400)
            #expect(try await site.post("/api/v1/assets/\(token)/license", "{\(member)}").status == 400)
            let edit = try await site.request(
                "PATCH", "/api/v1/assets/\(token)", ["Content-Type": "application/json"], body: "{\(member)}")
            #expect(edit.status == 400)
        }
    }

    @Test("the two words of --header-for are one value for the parser")
    func words() {
        let words = [
            "download", "--header-for", "*.a", "X: y", "--header-for", "b X: z", "u", "--header-for",
        ]
        #expect(
            HostHeaderArgument.joined(words)
                == ["download", "--header-for", "*.a X: y", "--header-for", "b X: z", "u", "--header-for"])
        #expect(
            HostHeaderArgument.joined(["--", "--header-for", "a", "b"]) == ["--", "--header-for", "a", "b"])
        for words in [["u", "--header-for", "a"], ["--header-for", "--header-for"]] {
            #expect(HostHeaderArgument.joined(words) == words)
        }
        let field = HostHeaderArgument.field("*.a:8080 Authorization: Bearer x y")
        #expect(field == HostHeader(hosts: "*.a:8080", name: "Authorization", value: "Bearer x y"))
        for text in ["X: y", "a b", "a/b X: y", "a"] { #expect(HostHeaderArgument.field(text) == nil) }
    }
}
