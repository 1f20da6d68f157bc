internal import Locking
internal import SystemPackage

/// The rows that a transaction changes. Where several processes write, it waits for others that change them, too.
package enum WriteScope: Sendable {
    /// Assets, and all that belongs to them; with a lease, as long as it is the newest one of its asset.
    case assets([AssetToken], Lease? = nil)
    /// The assets that have these renditions, and all that belongs to them.
    case renditions([Int64])
    /// New assets: two of the same addresses, or of the same names that clients gave, are entered one after the other.
    case names([[UInt8]])
    /// The store as a whole.
    case store

    /// One asset, and all that belongs to it.
    package static func asset(_ token: AssetToken) -> WriteScope { .assets([token]) }

    /// The asset of a lease, as long as no other node has one.
    package static func leased(_ lease: Lease) -> WriteScope { .assets([lease.token], lease) }

    /// The asset that has a rendition, and all that belongs to it.
    package static func rendition(_ id: Int64) -> WriteScope { .renditions([id]) }
}

/// A node's right to work on an asset. Who takes over from it gets a larger epoch.
package struct Lease: Sendable, Hashable {
    package var token: AssetToken
    /// The node's name, which no other process ever has.
    package var node: String
    package var epoch: Int64
}

/// The database that keeps a catalog.
///
/// A transaction may run more than once, where it met another one or the connection was lost, so that its body must change
/// nothing but what it returns.
protocol CatalogEngine: AnyObject, Sendable {
    /// Runs `body` on one snapshot.
    func read<T>(_ body: (any SQLSession) throws -> T) throws -> T

    /// Runs `body` in one transaction that is durable when this returns.
    ///
    /// - Returns: also whether it has written events.
    func write<T>(
        _ scope: WriteScope, _ body: (any SQLSession) throws -> T
    ) throws -> (value: T, hasNews: Bool)

    /// The time of the database.
    func time() throws -> Timestamp

    /// The moment when events of others were last looked for; `nil` before the first look.
    var lastLook: MonotonicTime? { get }

    /// The damage that the database finds in itself; `nil` when there is none.
    func damage() throws -> String?

    /// Has what was overwritten gone from the files, too, as far as the database can do that.
    ///
    /// - Returns: whether nothing of it is left.
    @discardableResult
    func forgetErased() -> Bool

    /// Writes all rows anew, so that nothing is left of former ones.
    func rewrite() throws

    /// Makes a copy of all of it in a file.
    func copy(to path: FilePath) throws

    /// Ends all connections. Nothing runs any more.
    func close()

    /// The error as the store tells it.
    func failure(_ error: any Error) -> StoreError
}
