extension CatalogSchema {
    /// Earlier versions kept addresses as they are: a row says that there may be such, until the store's key is at hand.
    static let sealedAddresses = """
        CREATE TABLE clear_address (id INTEGER PRIMARY KEY CHECK (id = 1));
        INSERT INTO clear_address (id) SELECT 1 WHERE EXISTS (SELECT 1 FROM asset);
        """
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
