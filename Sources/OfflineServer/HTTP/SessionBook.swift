internal import ASCII
internal import AssetStore
internal import Crypto
internal import Foundation
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking
internal import SystemPackage

/// The browsers that have signed in, and the codes with which others may sign in.
///
/// A session's cookie is derived from the store's API token and the session's ID. So no secret is stored, other
/// services of the same host that see the cookie don't learn the token, and a new token ends all sessions.
final class SessionBook: Sendable {
    /// A browser that has signed in.
    struct Session: Codable, Equatable {
        let id: String
        /// The device, in words.
        var name: String
        let createdAt: Date
        var lastSeenAt: Date
        /// The digest of the token that the cookie is derived from; `nil` in a file that an earlier version wrote.
        var tokenName: String?
    }

    /// A code that signs one browser in.
    package struct Code: Equatable {
        /// Eight letters and digits.
        package let text: String
        package let expiresAt: Date
    }

    /// The result of an attempt to sign in.
    enum Outcome {
        case signedIn(Session, cookie: String)
        case wrongCode
        /// Too many wrong codes were tried within a minute.
        case tooOften
    }

    private struct State {
        var sessions: [Session]
        var codes: [Code] = []
        var failures: [Date] = []
        var isChanged = false
        var writtenAt = Date.distantPast
    }

    /// The name of the cookie. Cookies of one host go to all of its ports, so each store has a name of its own.
    let cookieName: String
    private let key: SymmetricKey
    /// A digest that identifies the API token without revealing it.
    private let tokenName: String
    private let file: FilePath
    private let state: Lock<State>

    /// The lifetimes of a code and of an unused session, the largest numbers of codes, of sessions and of wrong codes
    /// in a minute, and the interval at which the file is written. Times are in seconds.
    static let limits = (
        code: 300.0, session: 400.0 * 86400, codes: 20, sessions: 200, failures: 10, writing: 60.0
    )
    /// Letters and digits that people do not confuse.
    private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTVWXYZ")

    init(file: FilePath, token: String) {
        self.file = file
        key = SymmetricKey(data: Data(token.utf8))
        cookieName = "offline-server-\(Self.digest("cookie name", key).prefix(8))"
        let tokenName = String(Self.digest("token name", key).prefix(16))
        self.tokenName = tokenName
        // Cookies that were derived from a former token are no longer valid.
        let sessions = Self.read(file).filter { $0.tokenName ?? tokenName == tokenName }
        state = Lock(State(sessions: sessions))
    }

    /// Makes a code that one browser may sign in by.
    func makeCode(now: Date = .now) -> Code {
        var generator = SystemRandomNumberGenerator()
        let text = String((0..<8).map { _ in Self.alphabet.randomElement(using: &generator) ?? "2" })
        let code = Code(text: text, expiresAt: now + Self.limits.code)
        state.withLock { state in
            state.codes = state.codes.filter { $0.expiresAt > now }.suffix(Self.limits.codes - 1) + [code]
        }
        return code
    }

    /// Signs a browser in with a code, which is valid once. Case and hyphens of the code are ignored.
    func signIn(_ code: String, name: String, now: Date = .now) throws(StoreError) -> Outcome {
        let wanted = code.uppercased().filter { $0.isLetter || $0.isNumber }
        let outcome = state.withLock { state -> Outcome in
            state.failures.removeAll { $0 < now - 60 }
            guard state.failures.count < Self.limits.failures else { return .tooOften }
            let known = state.codes.firstIndex { $0.expiresAt > now && TokenGate.isEqual($0.text, wanted) }
            guard let known else {
                state.failures.append(now)
                return .wrongCode
            }
            state.codes.remove(at: known)
            var generator = SystemRandomNumberGenerator()
            let id = Hexadecimal.text((0..<8).map { _ in UInt8.random(in: 0...255, using: &generator) })
            let session = Session(
                id: id, name: name, createdAt: now, lastSeenAt: now, tokenName: tokenName)
            let others = state.sessions.sorted { $0.lastSeenAt < $1.lastSeenAt }
            state.sessions = others.suffix(Self.limits.sessions - 1) + [session]
            state.isChanged = true
            return .signedIn(session, cookie: "\(id).\(mac(id))")
        }
        try write(now: now)
        return outcome
    }

    /// The sessions, the most recently seen first.
    func sessions(now: Date = .now) -> [Session] {
        state.withLock { state in
            state.sessions.filter { $0.lastSeenAt > now - Self.limits.session }
                .sorted { $0.lastSeenAt > $1.lastSeenAt }
        }
    }

    /// Ends a session, or all of them with `nil`.
    ///
    /// - Returns: whether there was one.
    func end(_ id: String?, now: Date = .now) throws(StoreError) -> Bool {
        let isEnded = state.withLock { state in
            let before = state.sessions.count
            state.sessions.removeAll { id == nil || $0.id == id }
            state.isChanged = state.isChanged || state.sessions.count < before
            return state.sessions.count < before
        }
        try write(now: now)
        return isEnded
    }

    /// The ID of a request's session, and notes that the session was used; `nil` if there is no valid one.
    func session(of request: Request, now: Date = .now) -> String? {
        guard let cookie = cookie(of: request), let dot = cookie.firstIndex(of: "."),
            TokenGate.isEqual(String(cookie[cookie.index(after: dot)...]), mac(String(cookie[..<dot])))
        else { return nil }
        let id = String(cookie[..<dot])
        return state.withLock { state in
            guard let index = state.sessions.firstIndex(where: { $0.id == id }),
                state.sessions[index].lastSeenAt > now - Self.limits.session
            else { return nil }
            if state.sessions[index].lastSeenAt < now - Self.limits.writing {
                state.sessions[index].lastSeenAt = now
                state.isChanged = true
            }
            return id
        }
    }

    /// Writes the times at which sessions were used to the file, once a minute at most.
    func flush(now: Date = .now) {
        guard state.withLock({ $0.isChanged && $0.writtenAt < now - Self.limits.writing }) else { return }
        try? write(now: now)
    }

    private func cookie(of request: Request) -> String? {
        for line in request.headerValues(.cookie) {
            for pair in line.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                if pair.hasPrefix("\(cookieName)=") { return String(pair.dropFirst(cookieName.count + 1)) }
            }
        }
        return nil
    }

    private func mac(_ id: String) -> String { Self.digest("session \(id)", key) }

    private static func digest(_ text: String, _ key: SymmetricKey) -> String {
        Hexadecimal.text(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }

    private func write(now: Date) throws(StoreError) {
        // The file is written inside the lock, so that an older list does not replace a newer one.
        let result = state.withLock { state -> Result<Void, StoreError> in
            guard state.isChanged else { return .success(()) }
            // After a failure the next call writes it.
            state.writtenAt = now
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            let bytes = (try? encoder.encode(state.sessions)) ?? Data("[]".utf8)
            return Result { () throws(StoreError) in
                try DurableWrite.write(Array(bytes), to: file)
                state.isChanged = false
            }
        }
        try result.get()
    }

    private static func read(_ file: FilePath) -> [Session] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let bytes = try? DurableWrite.read(file, limit: 1 << 20) else { return [] }
        return (try? decoder.decode([Session].self, from: Data(bytes))) ?? []
    }
}

/// A readable name of a browser, from its User-Agent.
enum BrowserName {
    private static let browsers = [
        ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("Edg", "Edge"), ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"), ("Chrome/", "Chrome"), ("CriOS/", "Chrome"),
        ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"),
        ("Tizen", "Tizen"),
        ("Web0S", "webOS"), ("Windows", "Windows"), ("Mac OS", "Mac"), ("Linux", "Linux"),
    ]

    /// - Parameter agent: the field User-Agent.
    static func words(_ agent: String) -> String {
        let browser = browsers.first { agent.contains($0.0) }?.1
        let system = systems.first { agent.contains($0.0) }?.1
        return [browser ?? "Browser", system].compactMap(\.self).joined(separator: ", ")
    }
}
