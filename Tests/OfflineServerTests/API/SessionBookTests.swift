import Foundation
import HTTPDaemon
import SystemPackage
import TestSupport
import Testing

@testable import OfflineServer

@Suite("The book of sessions")
struct SessionBookTests {
    private let folder: TemporaryDirectory
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws { folder = try TemporaryDirectory() }

    private var path: String { folder.file("sessions.json") }

    /// A book that has read the file.
    private func book() -> SessionBook { SessionBook(file: FilePath(path), token: "token") }

    private func outcome(_ book: SessionBook, _ code: String, at time: Date) throws -> String {
        let outcome = try book.signIn(code, name: "new", now: time)
        return switch outcome {
        case .signedIn: "signed in"
        case .wrongCode: "wrong"
        case .tooOften: "too often"
        }
    }

    @Test("has the last twenty codes")
    func codes() throws {
        let book = book()
        let codes = (0..<21).map { _ in book.makeCode(now: now).text }
        #expect(try outcome(book, codes[0], at: now) == "wrong")
        #expect(try outcome(book, codes[1], at: now) == "signed in")
        #expect(try outcome(book, codes[20], at: now) == "signed in")
    }

    @Test("takes no code until the tenth wrong one is more than a minute old")
    func failures() throws {
        let book = book()
        for _ in 0..<10 { #expect(try outcome(book, "22222222", at: now) == "wrong") }
        let code = book.makeCode(now: now).text
        #expect(try outcome(book, code, at: now + 60) == "too often")
        #expect(try outcome(book, code, at: now + 61) == "signed in")
    }

    @Test("has two hundred sessions; a new one takes the place of the one that was unused for longest")
    func sessions() throws {
        let sessions = (0..<200).map { number in
            SessionBook.Session(
                id: "\(number)", name: "\(number)", createdAt: now, lastSeenAt: now + Double(number))
        }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        try encoder.encode(sessions).write(to: URL(filePath: path))
        let book = book()
        // Sessions of an earlier version name no token.
        #expect(book.sessions(now: now + 300).count == 200)
        #expect(try outcome(book, book.makeCode(now: now).text, at: now + 299) == "signed in")
        let names = book.sessions(now: now + 300).map(\.name)
        #expect(names.count == 200)
        #expect(names.first == "new" && names.last == "1")
    }

    /// A session that began now, with a request of its browser.
    private func signedIn(_ book: SessionBook) throws -> (id: String, request: Request) {
        let outcome = try book.signIn(book.makeCode(now: now).text, name: "new", now: now)
        var found: (id: String, cookie: String)?
        if case .signedIn(let session, let cookie) = outcome { found = (session.id, cookie) }
        let session = try #require(found)
        let field = "a=b; \(book.cookieName)=\(session.cookie)"
        return (session.id, try Request.admitted("/", fields: [("Cookie", field)]))
    }

    @Test("notes and writes the use of a session when that was noted and written more than a minute ago")
    func uses() throws {
        let book = book()
        let (id, request) = try signedIn(book)
        #expect(book.session(of: request, now: now + 60) == id)
        #expect(book.sessions(now: now).map(\.lastSeenAt) == [now])
        #expect(book.session(of: request, now: now + 61) == id)
        #expect(book.sessions(now: now).map(\.lastSeenAt) == [now + 61])
        book.flush(now: now + 60)
        #expect(self.book().sessions(now: now).map(\.lastSeenAt) == [now])
        book.flush(now: now + 61)
        #expect(self.book().sessions(now: now).map(\.lastSeenAt) == [now + 61])
    }

    @Test("writes the end of a session with the next call if it could not be written")
    func unwritten() throws {
        let (book, files) = (book(), FileManager.default)
        let (id, _) = try signedIn(book)
        try files.moveItem(atPath: path, toPath: folder.file("kept"))
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: (any Error).self) { _ = try book.end(id, now: now) }
        try files.removeItem(atPath: path)
        try files.moveItem(atPath: folder.file("kept"), toPath: path)
        #expect(self.book().sessions(now: now).count == 1)
        let isEnded = try book.end(id, now: now)
        #expect(!isEnded && self.book().sessions(now: now).isEmpty)
    }

    @Test("does not take the cookie of a session that was unused for 400 days")
    func expiry() throws {
        let book = book()
        let (id, request) = try signedIn(book)
        let end = now + 400 * 86400
        #expect(book.session(of: request, now: end) == nil)
        #expect(book.sessions(now: end).isEmpty)
        #expect(book.sessions(now: end - 1).count == 1)
        #expect(book.session(of: request, now: end - 1) == id)
    }

    @Test(
        "names a browser and its device by the field User-Agent",
        arguments: [
            ("Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Linux"),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1", "Safari, iPhone"),
            ("curl/8.0", "Browser"), ("", "Browser"),
        ])
    func browsers(agent: String, name: String) {
        #expect(BrowserName.words(agent) == name)
    }
}
