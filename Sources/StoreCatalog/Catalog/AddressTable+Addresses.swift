extension CatalogSchema {
    /// Earlier versions stored addresses in the clear: a row notes that there may be some, until the store key is
    /// available.
    static let sealedAddresses = """
        CREATE TABLE clear_address (id INTEGER PRIMARY KEY CHECK (id = 1));
        INSERT INTO clear_address (id) SELECT 1 WHERE EXISTS (SELECT 1 FROM asset);
        """
}

extension Catalog {
    /// Seals the secrets of addresses from now on, and opens them.
    package func useAddressSealer(_ sealer: AddressSealer?) { seal.sealer = sealer }

    /// The original form of an address.
    package func opened(_ address: String) -> String { seal.sealer?.open(address) ?? address }

    /// The original form of a playlist.
    package func opened(playlist: [UInt8]) -> [UInt8] { seal.sealer?.open(playlist: playlist) ?? playlist }
}

extension AddressTable {
    /// Seals the addresses that earlier versions left in the clear, and erases the overwritten bytes from the files.
    /// If there is no space for that, or a reader is active, the next engine does the rest.
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
