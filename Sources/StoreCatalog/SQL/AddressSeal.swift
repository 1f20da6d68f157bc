internal import Locking

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
