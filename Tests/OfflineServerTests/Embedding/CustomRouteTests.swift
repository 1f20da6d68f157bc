import AssetStore
import Foundation
import OfflineServer
import TestSupport
import Testing

@Suite("A custom route", .fewAtOnce, .timeLimit(.minutes(1)))
struct CustomRouteTests {
    private static let echo = CustomRoute("/shelf") { request in
        var response = CustomRoute.Response.text(
            "\(request.method) \(request.path) \(request.query["a"] ?? "-") \(request.header("x-b") ?? "-") "
                + String(decoding: request.body, as: UTF8.self), status: 201)
        response.headers["X-Shelf"] = "3"
        response.headers["not a name"] = "left out"
        return response
    }

    /// Runs `body` with a site that has `routes`.
    private func with(
        _ routes: [CustomRoute], requiresToken: Bool = false, _ body: (Site) async throws -> Void
    ) async throws {
        try await withSite {
            $0.server.routes = routes
            $0.server.requiresToken = requiresToken
        } _: {
            try await body($0)
        }
    }

    @Test("answers at its path and below, with the request's path and query")
    func answers() async throws {
        try await with([Self.echo]) { site async throws in
            let reply = try await site.request("PUT", "/shelf/top?a=%20x", ["X-B": "two"], body: "content")
            #expect(reply.status == 201)
            #expect(reply.text == "PUT /shelf/top  x two content")
            #expect(reply["X-Shelf"] == "3")
            #expect(try await site.get("/shelf").text == "GET /shelf - - ")
            let head = try await site.request("HEAD", "/shelf")
            #expect(head.status == 201 && head.body.isEmpty)
            #expect(head["Content-Length"] == "\("HEAD /shelf - - ".utf8.count)")
        }
    }

    @Test("leaves all other paths alone")
    func others() async throws {
        try await with([Self.echo]) { site async throws in
            for path in ["/shelfs", "/she", "/SHELF", "/top/shelf"] {
                #expect(try await site.get(path).status == 404, "\(path)")
            }
            #expect(try await site.get("/").status == 200)
            #expect(try await site.get("/healthz").status == 200)
        }
    }

    @Test("with the longer path goes before another one")
    func longest() async throws {
        let top = CustomRoute("/shelf/top") { _ in .text("top") }
        try await with([Self.echo, top]) { site async throws in
            #expect(try await site.get("/shelf/top/1").text == "top")
            #expect(try await site.get("/shelf/topmost").status == 201)
        }
    }

    @Test("is called only for permitted requests: with the server's name, with the token, from no other page")
    func admission() async throws {
        try await with([Self.echo]) { site async throws in
            #expect(try await site.get("/shelf", ["Host": "evil.example"]).status == 421)
            let page = ["Origin": "https://evil.example"]
            #expect(try await site.request("POST", "/shelf", page, body: "x").status == 403)
            #expect(try await site.get("/shelf", ["Sec-Fetch-Site": "cross-site"]).status == 403)
        }
        try await with([Self.echo], requiresToken: true) { site async throws in
            #expect(try await site.get("/shelf").status == 401)
            let address = site.server.server.url(forPath: "/shelf")
            #expect(address.path.hasPrefix("/t/"))
            let reply = try await site.get(address.path)
            #expect(reply.status == 201)
            #expect(reply.text == "GET /shelf - - ")
        }
    }

    @Test("with an invalid status is an error of the server")
    func invalidStatus() async throws {
        try await with([CustomRoute("/shelf") { _ in CustomRoute.Response(status: 42) }]) {
            site async throws in
            #expect(try await site.get("/shelf").status == 500)
        }
    }

    @Test(
        "with a path that is not valid, or the server's own, keeps the server from starting",
        arguments: [
            "", "/", "shelf", "/shelf/", "/a//b", "/a b", "/a?b", "/api/v2", "/assets", "/..", "/t/x",
        ])
    func invalidPath(path: String) async throws {
        await #expect(throws: PlaybackServerError.self) {
            try await with([CustomRoute(path) { _ in .text("") }]) { _ in }
        }
    }

    @Test("that is there twice keeps the server from starting")
    func twice() async throws {
        await #expect(throws: PlaybackServerError.self) {
            try await with([Self.echo, Self.echo]) { _ in }
        }
    }
}
