internal import CPostgres
internal import Glibc

/// A connection to a PostgreSQL server, by libpq. One thread at a time uses it; each call blocks until the answer
/// arrives.
///
/// `@unchecked Sendable`: its owner passes it from thread to thread, and never to two at once.
@safe package final class PostgresConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    /// The names of statements, by their texts.
    private var names: [String: String] = [:]
    /// Whether the connection was lost for good.
    package private(set) var isLost = false
    /// How long an answer may take.
    package var patience: Duration = .seconds(30)

    /// Connects.
    ///
    /// - Parameters:
    ///   - url: as libpq reads it: `postgresql://user@host:port/database?sslmode=verify-full`.
    ///   - seconds: how long each address of the host may take.
    /// - Throws: `noLibrary`, `unreachable`, or `denied`.
    package init(_ url: String, within seconds: Int = 3) throws(PostgresError) {
        let version = cpostgres_version()
        guard version >= Self.oldestLibrary else { throw .noLibrary(version) }
        let start = ContinuousClock.now
        guard let opened = unsafe cpostgres_connect(url, Int32(seconds)) else {
            throw .unreachable("there is no memory for a connection")
        }
        unsafe handle = opened
        guard unsafe cpostgres_is_open(opened) == 0 else { return }
        let message = unsafe Self.message(of: opened)
        // An address that does not answer takes longer than a server that refuses the connection.
        if ContinuousClock.now - start < Self.longestRefusal { unsafe cpostgres_connect_for_state(opened) }
        guard unsafe cpostgres_is_open(opened) == 0 else { return }
        let state = unsafe String(Self.message(of: opened).suffix(5))
        throw PostgresError.denials.contains(state) ? .denied(state: state, message) : .unreachable(message)
    }

    /// The time in which a server that can be reached refuses a connection.
    private static let longestRefusal = Duration.seconds(1)

    /// The last error, on one line.
    private static func message(of handle: OpaquePointer) -> String {
        let text = unsafe String(cString: cpostgres_error(handle))
        return text.split(whereSeparator: \.isNewline).joined(separator: "; ")
    }

    deinit { unsafe cpostgres_close(handle) }

    /// libpq 14, which came in 2021.
    private static let oldestLibrary: Int32 = 140_000

    /// The fault of an address; `nil` when it can be read.
    ///
    /// - Throws: `noLibrary`.
    package static func fault(of url: String) throws(PostgresError) -> String? {
        let version = cpostgres_version()
        guard version >= oldestLibrary else { throw .noLibrary(version) }
        var message = [CChar](repeating: 0, count: 256)
        guard unsafe cpostgres_is_url(url, &message, message.count) == 0 else { return nil }
        let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).joined(separator: "; ")
    }

    /// Runs statements without parameters.
    ///
    /// - Returns: the result of the last one.
    @discardableResult
    package func script(_ sql: String) throws(PostgresError) -> PostgresResult {
        try unsafe result { unsafe cpostgres_script(handle, sql, milliseconds) }
    }

    /// Runs a statement, whose placeholders are `?`, or `?1`, `?2`… (`PostgresText`). The server prepares each text once.
    package func execute(
        _ sql: String, _ parameters: [PostgresParameter] = []
    ) throws(PostgresError) -> PostgresResult {
        let name = try prepare(sql)
        return try unsafe result {
            unsafe parameters.withPointers { values, lengths, formats in
                unsafe cpostgres_execute(
                    handle, name, Int32(parameters.count), values, lengths, formats, milliseconds)
            }
        }
    }

    private func prepare(_ sql: String) throws(PostgresError) -> String {
        if let name = names[sql] { return name }
        let name = "s\(names.count)"
        _ = try unsafe result {
            unsafe cpostgres_prepare(handle, name, PostgresText.numbered(sql), milliseconds)
        }
        names[sql] = name
        return name
    }

    /// How many statements the server has prepared for this connection.
    package var preparedCount: Int { names.count }

    /// Waits for notifications.
    ///
    /// - Returns: whether some came.
    /// - Throws: `lost`.
    package func awaitNotification(_ time: Duration) throws(PostgresError) -> Bool {
        let count = unsafe cpostgres_await(handle, Self.milliseconds(time))
        guard count >= 0 else { throw lost() }
        return count > 0
    }

    private var milliseconds: Int32 { Self.milliseconds(patience) }

    private static func milliseconds(_ time: Duration) -> Int32 {
        let (seconds, attoseconds) = time.components
        return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    private func result(_ body: () -> OpaquePointer?) throws(PostgresError) -> PostgresResult {
        guard !isLost else { throw .lost("the connection was lost before") }
        guard let answer = unsafe body() else { throw lost() }
        let result = unsafe PostgresResult(answer)
        if let refusal = result.refusal {
            // The server ends the connection with such an answer: it shuts down, or starts (class 57P, 08).
            if refusal.isOfConnection { isLost = true }
            throw refusal
        }
        return result
    }

    private func lost() -> PostgresError {
        isLost = true
        let text = unsafe Self.message(of: handle)
        return .lost(text.isEmpty ? "no answer within \(patience)" : text)
    }
}
