internal import FoundationEssentials
internal import GRDB
internal import Locking

extension CatalogSchema {
    /// Earlier versions kept addresses as they are: a row says that there may be such, until the store's key is at hand.
    static let sealedAddresses = """
        CREATE TABLE clear_address (id INTEGER PRIMARY KEY CHECK (id = 1));
        INSERT INTO clear_address (id) SELECT 1 WHERE EXISTS (SELECT 1 FROM asset);
        """
}

/// The sealer of addresses that the connections of a catalog use, once it is known.
package final class AddressSeal: Sendable {
    private let known = Lock<AddressSealer?>(nil)

    var sealer: AddressSealer? {
        get { known.withLock(\.self) }
        set { known.withLock { $0 = newValue } }
    }

    /// Adds the functions that statements seal with: `sealed_address`, `sealed_playlist` and `sealed_listings`.
    func addFunctions(to database: Database) {
        database.add(
            function: text("sealed_address") { sealer, address in sealer.seal(address) })
        database.add(
            function: text("sealed_listings") { sealer, listings in
                let list = try JSONText.decode([String].self, listings)
                return try JSONText.encode(list.map { sealer.seal(attributes: $0) })
            })
        database.add(
            function: DatabaseFunction("sealed_playlist", argumentCount: 1, pure: true) { [self] values in
                guard let body = Data.fromDatabaseValue(values[0]) else { return nil }
                let bytes = [UInt8](body)
                guard !SecretSpans.ofPlaylist(bytes).isEmpty else { return body }
                return Data(try required().seal(playlist: bytes))
            })
    }

    private func text(
        _ name: String, _ body: @escaping @Sendable (AddressSealer, String) throws -> String
    ) -> DatabaseFunction {
        DatabaseFunction(name, argumentCount: 1, pure: true) { [self] values in
            guard let text = String.fromDatabaseValue(values[0]) else { return nil }
            guard SecretSpans.mayHave(text.utf8) else { return text }
            return try body(required(), text)
        }
    }

    /// Nothing secret is written in the clear for want of a key.
    private func required() throws -> AddressSealer {
        guard let sealer else { throw StoreError(.vault) }
        return sealer
    }
}

extension Catalog {
    /// Seals the secrets of addresses from now on, and opens them.
    package func useAddressSealer(_ sealer: AddressSealer?) { seal.sealer = sealer }

    /// An address as it was entered.
    package func opened(_ address: String) -> String { seal.sealer?.open(address) ?? address }

    /// A playlist as it was entered.
    package func opened(playlist: [UInt8]) -> [UInt8] { seal.sealer?.open(playlist: playlist) ?? playlist }
}

extension AddressTable {
    /// Seals the addresses that earlier versions have left in the clear, and has what they overwrote gone from the files.
    /// Where there is no room for that, or somebody reads, the next engine does the rest.
    package func sealOldAddresses() throws(StoreError) {
        let isDue = try read { try Int.fetchOne($0, sql: "SELECT id FROM clear_address") != nil }
        guard isDue, catalog.seal.sealer != nil else { return }
        try write { try $0.execute(sql: Self.sealing) }
        do throws(StoreError) {
            try catalog.writeApart { try $0.execute(sql: "VACUUM") }
            guard truncateLog() else { return }
        } catch {
            return
        }
        try write { try $0.execute(sql: "DELETE FROM clear_address") }
    }

    private static let sealing = """
        UPDATE asset SET source_url = sealed_address(source_url);
        UPDATE unit SET url = sealed_address(url) WHERE url GLOB '*[?@]*';
        UPDATE source_playlist SET url = sealed_address(url), body = sealed_playlist(body);
        UPDATE recorded_piece SET body = sealed_playlist(body);
        UPDATE content_key SET url = sealed_address(url);
        UPDATE interstitial SET address = sealed_address(address);
        UPDATE rendition SET listings = sealed_listings(listings);
        """

    /// - Returns: whether nothing is left in the write-ahead log.
    private func truncateLog() -> Bool {
        catalog.forgetErased()
        return FileSystem.facts(Catalog.log(of: catalog.path))?.size ?? 0 == 0
    }
}
