internal import FoundationEssentials
internal import GRDB

extension AddressSeal {
    /// Adds the SQL functions that seal addresses from earlier versions: `sealed_address`, `sealed_playlist` and
    /// `sealed_listings`.
    func addFunctions(to database: Database) {
        add("sealed_address", to: database) { [self] in
            try String.fromDatabaseValue($0).map { try sealed(address: $0) }
        }
        add("sealed_listings", to: database) { [self] in
            try String.fromDatabaseValue($0).map { text in
                try sealed(listings: JSONText.decode([String].self, text))
            }
        }
        add("sealed_playlist", to: database) { [self] in
            try Data.fromDatabaseValue($0).map { Data(try sealed(playlist: [UInt8]($0))) }
        }
    }

    private func add(
        _ name: String, to database: Database,
        _ body: @escaping @Sendable (DatabaseValue) throws -> (any DatabaseValueConvertible)?
    ) {
        database.add(function: DatabaseFunction(name, argumentCount: 1, pure: true) { try body($0[0]) })
    }
}
