internal import PostgresClient

extension WriteScope {
    /// Locks the rows that a transaction of this scope changes, until it ends.
    func lock(_ session: PostgresSession) throws {
        switch self {
        case .assets(let tokens):
            guard !tokens.isEmpty else { return }
            let list = SQLList(tokens)
            try session.execute(
                "SELECT token FROM asset WHERE token IN (\(list.marks)) ORDER BY token FOR NO KEY UPDATE",
                list.arguments)
        case .renditions(let ids):
            guard !ids.isEmpty else { return }
            let list = SQLList(Set(ids).sorted())
            try session.execute(
                """
                SELECT token FROM asset WHERE token IN (SELECT asset FROM rendition WHERE id IN (\(list.marks)))
                ORDER BY token FOR NO KEY UPDATE
                """, list.arguments)
        case .names(let names):
            try Self.lock(Set(names.map(Self.number)).sorted(), session)
        case .store:
            try session.execute("SELECT pg_advisory_xact_lock(?)", [Self.storeLock])
        }
    }

    /// Locks names. Up to 64 names are locked one by one, together with a shared lock of all names. For more names,
    /// all names are locked exclusively, since the server can hold only a limited number of locks.
    private static func lock(_ numbers: [Int64], _ session: PostgresSession) throws {
        guard numbers.count <= 64 else {
            try session.execute("SELECT pg_advisory_xact_lock(?)", [namesLock])
            return
        }
        try session.execute("SELECT pg_advisory_xact_lock_shared(?)", [namesLock])
        for number in numbers { try session.execute("SELECT pg_advisory_xact_lock(?)", [number]) }
    }

    /// The numbers of advisory locks (`pg_advisory_xact_lock`); numbers for names are negative.
    static let migrationLock: Int64 = 0x6f66_666c_696e_6501
    private static let storeLock: Int64 = 0x6f66_666c_696e_6502
    private static let namesLock: Int64 = 0x6f66_666c_696e_6503

    /// The number of a name's lock (FNV-1a). If two names have the same number, their transactions only wait for each
    /// other.
    private static func number(of name: [UInt8]) -> Int64 {
        let hash = name.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return Int64(bitPattern: hash | 1 << 63)
    }
}

/// A transaction's own row of `commit_mark`, which proves that it was committed.
struct PostgresMark {
    private let id = (0..<16).map { _ in UInt8.random(in: 0...255) }

    /// The beginning of a transaction.
    enum Beginning {
        /// The transaction has not happened yet.
        case new
        /// The transaction was committed before.
        case done
        /// Another node owns the store by now.
        case refused
    }

    /// Begins a transaction with the mark. If a transaction with the same mark is still being committed, this waits
    /// for it.
    ///
    /// - Parameter owner: the writing node, which keeps the store until the transaction ends. `nil` if the catalog is
    ///   not shared.
    func begin(
        _ connection: PostgresConnection, for owner: OwningNode?
    ) throws(PostgresError) -> Beginning {
        let digits = id.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let mark = "CAST('\\x\(digits)' AS bytea)"
        let row = owner.map { owner in
            """
            (SELECT \(mark) FROM store_owner
                WHERE node = '\(owner.node.filter(\.isLetterOrDigit))' AND epoch = \(owner.epoch) FOR SHARE)
            """
        }
        let begun = try connection.script(
            """
            BEGIN ISOLATION LEVEL READ COMMITTED;
            INSERT INTO commit_mark (id) \(row ?? "VALUES (\(mark))") ON CONFLICT DO NOTHING
            """)
        guard begun.changed != 1 else { return .new }
        guard owner != nil else { return .done }
        return try connection.script("SELECT 1 FROM commit_mark WHERE id = \(mark)").count > 0
            ? .done : .refused
    }
}

extension Character {
    /// Names of nodes consist of these characters only.
    fileprivate var isLetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}
