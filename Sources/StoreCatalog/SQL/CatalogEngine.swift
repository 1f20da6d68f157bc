internal import Locking
internal import SystemPackage

/// The rows that a transaction changes. If several processes write, it waits for other transactions that change them,
/// too.
package enum WriteScope: Sendable {
    /// Assets and their rows.
    case assets([AssetToken])
    /// The assets that have these renditions, and all that belongs to them.
    case renditions([Int64])
    /// New assets: two with the same address, or with the same client ID, are entered one after the other.
    case names([[UInt8]])
    /// The store as a whole.
    case store

    /// One asset and its rows.
    package static func asset(_ token: AssetToken) -> WriteScope { .assets([token]) }

    /// The asset that has a rendition, and all that belongs to it.
    package static func rendition(_ id: Int64) -> WriteScope { .renditions([id]) }
}

/// The database of a catalog.
///
/// A transaction may run more than once after a conflict or a lost connection, so its body must have no effects but
/// its result.
protocol CatalogEngine: AnyObject, Sendable {
    /// Runs `body` on one snapshot.
    func read<T>(_ body: (any SQLSession) throws -> T) throws -> T

    /// Runs `body` in one transaction that is durable when this returns.
    ///
    /// - Returns: the result of `body`, and whether it has written events.
    func write<T>(
        _ scope: WriteScope, _ body: (any SQLSession) throws -> T
    ) throws -> (value: T, hasNews: Bool)

    /// The time of the database.
    func time() throws -> Timestamp

    /// The moment when events of others were last looked for; `nil` before the first look.
    var lastLook: MonotonicTime? { get }

    /// The damage that the database's own check finds; `nil` without any.
    func damage() throws -> String?

    /// Erases overwritten content from the files, too, as far as the database can.
    ///
    /// - Returns: whether nothing of it is left.
    @discardableResult
    func forgetErased() -> Bool

    /// Rewrites all rows, so that no bytes of former ones are left.
    func rewrite() throws

    /// Makes a copy of all of it in a file.
    func copy(to path: FilePath) throws

    /// Ends all connections after the last call.
    func close()

    /// The error as the store tells it.
    func failure(_ error: any Error) -> StoreError
}
