internal import Locking

extension CatalogSchema {
    /// Earlier versions kept addresses as they are: a row says that there may be such, until the store's key is at hand.
    static let sealedAddresses = """
        CREATE TABLE clear_address (id INTEGER PRIMARY KEY CHECK (id = 1));
        INSERT INTO clear_address (id) SELECT 1 WHERE EXISTS (SELECT 1 FROM asset);
        """
}

/// The sealer of addresses that a catalog uses, once it is known.
package final class AddressSeal: Sendable {
    private let known = Lock<AddressSealer?>(nil)

    var sealer: AddressSealer? {
        get { known.withLock(\.self) }
        set { known.withLock { $0 = newValue } }
    }

    /// An address as it is entered. The same address is always sealed alike.
    func sealed(address: String) throws(StoreError) -> String {
        SecretSpans.mayHave(address.utf8) ? try required().seal(address) : address
    }

    /// A playlist as it is entered.
    func sealed(playlist: [UInt8]) throws(StoreError) -> [UInt8] {
        SecretSpans.ofPlaylist(playlist).isEmpty ? playlist : try required().seal(playlist: playlist)
    }

    /// Tags that list a rendition, as they are entered: as JSON.
    func sealed(listings: [String]) throws -> String {
        let text = try JSONText.encode(listings)
        guard SecretSpans.mayHave(text.utf8) else { return text }
        let sealer = try required()
        return try JSONText.encode(listings.map { sealer.seal(attributes: $0) })
    }

    /// Nothing secret is written in the clear for want of a key.
    private func required() throws(StoreError) -> AddressSealer {
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
        let isDue = try read { session in
            try session.dialect == .sqlite && session.hasRow("SELECT id FROM clear_address")
        }
        guard isDue, catalog.seal.sealer != nil else { return }
        try write(.store) { try $0.script(Self.sealing) }
        do throws(StoreError) {
            try catalog.rewrite()
            guard catalog.forgetErased() else { return }
        } catch {
            return
        }
        try write(.store) { try $0.execute("DELETE FROM clear_address") }
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
}
