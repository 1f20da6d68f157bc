package import HTTPTypes

/// The object of a bucket that has the bytes of a resource.
///
/// A server that can read the bucket asks the other server for the object. The answer names it in header fields and has
/// no body.
package struct NamedObject: Sendable, Equatable {
    /// Its key in the bucket.
    package let key: String
    /// Its length in bytes.
    package let size: UInt64

    /// The query by which a server asks for it, beside the header field `Offline-Server-Demand: object`. That field is
    /// not passed on, so that clients can't ask through a server.
    package static let query = "object"
    package static let demand = (name: HTTPField.Name("Offline-Server-Demand") ?? .via, value: "object")
    private static let keyField = HTTPField.Name("Offline-Server-Object") ?? .via
    private static let sizeField = HTTPField.Name("Offline-Server-Object-Size") ?? .via

    package init(key: String, size: UInt64) { (self.key, self.size) = (key, size) }

    /// Reads the header fields of an answer; `nil` if they name no object.
    init?(_ fields: HTTPFields) {
        guard let key = fields[Self.keyField], let size = fields[Self.sizeField].flatMap(UInt64.init) else {
            return nil
        }
        self.init(key: key, size: size)
    }

    /// The header fields that name it.
    package var fields: HTTPFields { [Self.keyField: key, Self.sizeField: "\(size)"] }
}

/// A bucket from which a server reads the bytes of shared answers.
package protocol ObjectSource: Sendable {
    /// Passes the bytes of an object on in order. When this returns, all of them have come.
    func read(
        _ object: NamedObject, into receive: @escaping @Sendable (RawSpan) throws -> Void
    ) async throws
}
