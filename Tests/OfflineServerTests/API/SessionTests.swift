import AssetStore
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Browsers that sign in", .fewAtOnce, .timeLimit(.minutes(2)))
struct SessionTests {
    /// A server that demands its token, with the field that shows it.
    private func withGuarded(_ body: (Site, [String: String]) async throws -> Void) async throws {
        try await withSite {
            $0.server.requiresToken = true
        } _: { site in
            let secret = try #require(APIToken.existing(site.server.store.paths.apiToken))
            try await body(site, ["Authorization": "Bearer \(secret)"])
        }
    }

    private func code(_ site: Site, _ bearer: [String: String]) async throws -> String {
        try #require(
            try await site.post("/api/v1/sessions/codes", "{}", bearer).object["code"] as? String)
    }

    private func signIn(_ site: Site, _ code: String, _ fields: [String: String] = [:]) async throws -> Reply
    {
        try await site.post("/api/v1/sessions", #"{"code": "\#(code)"}"#, fields)
    }

    /// The part of Set-Cookie that comes back.
    private func cookie(_ reply: Reply) throws -> [String: String] {
        ["Cookie": String(try #require(reply["Set-Cookie"]).prefix { $0 != ";" })]
    }

    @Test("a code signs one browser in, whose cookie then stands for the token")
    func signingIn() async throws {
        try await withGuarded { site, bearer in
            let text = try await code(site, bearer)
            let agent = ["User-Agent": "Mozilla/5.0 (Android 15; Mobile) Firefox/140.0"]
            let reply = try await signIn(site, "\(text.prefix(4).lowercased())-\(text.dropFirst(4))", agent)
            #expect(reply.status == 201 && reply.object["name"] as? String == "Firefox, Android")
            let set = try #require(reply["Set-Cookie"])
            #expect(set.contains("; HttpOnly; SameSite=Strict") && !set.contains("Secure"))
            let cookie = try cookie(reply)
            #expect(!set.contains(try #require(bearer["Authorization"]).dropFirst(7)))
            #expect(try await site.get("/api/v1/assets", cookie).status == 200)
            #expect(try await site.get("/", cookie).status == 200)
            #expect(try await site.get("/api/v1/assets").status == 401)
            #expect(try await signIn(site, text).status == 403)
        }
    }

    @Test("a session is listed and ends when it is signed out, also after a restart")
    func signingOut() async throws {
        let folder = try TemporaryDirectory()
        var cookies: [[String: String]] = []
        for isFirst in [true, false] {
            try await withSite(in: folder) {
                $0.server.requiresToken = true
            } _: { site in
                let secret = try #require(APIToken.existing(site.server.store.paths.apiToken))
                let bearer = ["Authorization": "Bearer \(secret)"]
                if isFirst {
                    for _ in 0..<2 {
                        cookies.append(try cookie(try await signIn(site, try await code(site, bearer))))
                    }
                }
                let list = try await site.get("/api/v1/sessions", cookies[0]).object
                let sessions = try #require(list["sessions"] as? [[String: Any]])
                #expect(sessions.count == 2 && list["required"] as? Bool == true)
                let own = try #require(sessions.first { $0["current"] as? Bool == true })
                guard !isFirst else { return }
                let path = "/api/v1/sessions/\(own["id"] as? String ?? "")"
                let ended = try await site.request("DELETE", path, cookies[0])
                #expect(ended.status == 204 && ended["Set-Cookie"]?.contains("Max-Age=0") == true)
                #expect(try await site.get("/api/v1/assets", cookies[0]).status == 401)
                #expect(try await site.get("/api/v1/assets", cookies[1]).status == 200)
                #expect(try await site.request("DELETE", path, cookies[1]).status == 404)
                let all = try await site.request("DELETE", "/api/v1/sessions", cookies[1])
                #expect(all.status == 204 && all["Set-Cookie"]?.contains("Max-Age=0") == true)
                let none = try await site.request("DELETE", "/api/v1/sessions", bearer)
                #expect(none.status == 204 && none["Set-Cookie"] == nil)
                #expect(try await site.get("/api/v1/assets", cookies[1]).status == 401)
            }
        }
    }

    @Test("a cookie that was made up, or belongs to another store, opens nothing")
    func wrongCookies() async throws {
        try await withGuarded { site, bearer in
            let good = try cookie(try await signIn(site, try await code(site, bearer)))
            let text = try #require(good["Cookie"])
            for wrong in [String(text.dropLast()) + "0", text + "0", String(text.dropLast(65)), "x=\(text)"] {
                guard wrong != text else { continue }
                #expect(try await site.get("/api/v1/assets", ["Cookie": wrong]).status == 401, "\(wrong)")
            }
            #expect(try await site.get("/api/v1/assets", ["Cookie": "a=b; \(text)"]).status == 200)
        }
    }

    @Test("a page of another origin can neither sign in nor use the cookie")
    func foreignPages() async throws {
        try await withGuarded { site, bearer in
            let text = try await code(site, bearer)
            let foreign = ["Origin": "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site"]
            #expect(try await signIn(site, text, foreign).status == 403)
            let cookie = try cookie(try await signIn(site, text))
            let fields = cookie.merging(foreign) { $1 }
            #expect(try await site.get("/api/v1/assets", fields).status == 403)
            #expect(try await site.request("DELETE", "/api/v1/sessions", fields).status == 403)
        }
    }

    @Test("after ten wrong codes none is taken for a minute")
    func guessing() async throws {
        try await withGuarded { site, bearer in
            let text = try await code(site, bearer)
            for _ in 0..<10 { #expect(try await signIn(site, "22222222").status == 403) }
            let refused = try await signIn(site, text)
            #expect(refused.status == 429 && refused["Retry-After"] == "60")
        }
    }

    @Test("a code holds for five minutes, and a session that is not used for 400 days")
    func times() throws {
        let folder = try TemporaryDirectory()
        let book = SessionBook(file: .init(folder.file("sessions.json")), token: "token")
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let late = book.makeCode(now: now).text
        guard case .wrongCode = try book.signIn(late, name: "a", now: now + 300) else {
            Issue.record("a code holds after five minutes")
            return
        }
        let code = book.makeCode(now: now).text
        guard case .signedIn = try book.signIn(code, name: "b", now: now + 299) else {
            Issue.record("a code does not hold for five minutes")
            return
        }
        #expect(book.sessions(now: now + 399 * 86400).map(\.name) == ["b"])
        #expect(book.sessions(now: now + 401 * 86400).isEmpty)
        let other = SessionBook(file: .init(folder.file("sessions.json")), token: "token")
        #expect(other.sessions(now: now + 300).map(\.name) == ["b"])
    }

    @Test("the list of sessions is written when it changes")
    func written() throws {
        let folder = try TemporaryDirectory()
        let book = SessionBook(file: .init(folder.file("sessions.json")), token: "token")
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        func isWritten(_ act: () throws -> Void) throws -> Bool {
            try? FileManager.default.removeItem(atPath: folder.file("sessions.json"))
            try act()
            return FileManager.default.fileExists(atPath: folder.file("sessions.json"))
        }
        let code = book.makeCode(now: now).text
        #expect(try isWritten { _ = try book.signIn(code, name: "a", now: now) })
        #expect(try !isWritten { _ = try book.end("none", now: now) })
        #expect(try !isWritten { book.flush(now: now + 3600) })
        #expect(try isWritten { _ = try book.end(nil, now: now) })
    }

    @Test("browsers that signed in by a token that was replaced are not listed any more")
    func replacedToken() async throws {
        let folder = try TemporaryDirectory()
        try await withSite(in: folder) {
            $0.server.requiresToken = true
        } _: { site in
            let secret = try #require(APIToken.existing(site.server.store.paths.apiToken))
            let bearer = ["Authorization": "Bearer \(secret)"]
            for _ in 0..<2 { #expect(try await signIn(site, try await code(site, bearer)).status == 201) }
        }
        let (token, list) = (folder.file("api-token"), folder.file("sessions.json"))
        #expect(
            !String(decoding: try Data(contentsOf: URL(filePath: list)), as: UTF8.self).contains(
                try #require(APIToken.existing(FilePath(token)))))
        try FileManager.default.removeItem(atPath: token)
        try await withSite(in: folder) {
            $0.server.requiresToken = true
        } _: { site in
            let secret = try #require(APIToken.existing(site.server.store.paths.apiToken))
            let bearer = ["Authorization": "Bearer \(secret)"]
            let sessions = { try await site.get("/api/v1/sessions", bearer).object["sessions"] as? [Any] }
            #expect(try await sessions()?.count == 0)
            #expect(try await signIn(site, try await code(site, bearer)).status == 201)
            #expect(try await sessions()?.count == 1)
        }
    }

    @Test(
        "a browser without a sign-in gets the sign-in page and its files; programs get a problem"
    )
    func form() async throws {
        try await withGuarded { site, _ in
            for (path, root) in [
                ("/", ""), ("/watch/01M86GPX26H0RGTP9JW9TJ6M3Z", "../"), ("/t/wrong/", "../../"),
            ] {
                let page = try await site.get(path, ["Accept": "text/html,*/*"])
                #expect(page.status == 401 && page.text.contains("data-page=\"signin\""))
                #expect(page.text.contains("src=\"\(root)app/main.js\""))
                #expect(page["Content-Security-Policy"] != nil)
            }
            #expect(try await site.get("/app/app.css").status == 200)
            for path in ["/", "/api/v1/sessions", "/api/v1/events", "/metrics"] {
                #expect(try await site.get(path).status == 401, "\(path)")
            }
            let asset = try await site.get("/assets/x/master.m3u8", ["Accept": "text/html"])
            #expect(asset.status == 401 && asset["Content-Type"] == "application/problem+json")
        }
    }
}
