/// The reasons for which a statement did not run, or may not have run.
package enum PostgresError: Error, Sendable, Equatable {
    /// libpq is not installed, or too old: its version as it counts, or 0.
    case noLibrary(Int32)
    /// No connection came about.
    case unreachable(String)
    /// The server refused the connection: there is no such database, or it does not let this user in.
    ///
    /// - Parameters:
    ///   - state: one of `denials`.
    case denied(state: String, String)
    /// The connection was lost. Whether the statement ran is unknown.
    case lost(String)
    /// The server refused the statement.
    ///
    /// - Parameters:
    ///   - state: the five characters of SQLSTATE (PostgreSQL's manual, appendix A).
    case refused(state: String, String)

    /// The states of a connection that is refused because of its address: no such database (3D000), no such user or no
    /// entry in pg_hba.conf (28000), a wrong password (28P01).
    static let denials: Set<String> = ["3D000", "28000", "28P01"]

    /// Whether the connection can't be used any more.
    package var isOfConnection: Bool {
        switch self {
        case .noLibrary, .unreachable, .lost: true
        case .denied: false
        case .refused(let state, _): state.hasPrefix("57P") || state.hasPrefix("08")
        }
    }

    /// Whether the transaction conflicted with another one and may succeed when it runs again: a deadlock, or a row
    /// that changed in between.
    package var isConflict: Bool {
        if case .refused(let state, _) = self { state.hasPrefix("40") } else { false }
    }
}
