internal import Locking

/// The sealer of addresses that a catalog uses, once it is known.
package final class AddressSeal: Sendable {
    private let known = Lock<AddressSealer?>(nil)

    var sealer: AddressSealer? {
        get { known.withLock(\.self) }
        set { known.withLock { $0 = newValue } }
    }

    /// The sealed form of an address. Equal addresses have equal sealed forms.
    func sealed(address: String) throws(StoreError) -> String {
        SecretSpans.mayHave(address.utf8) ? try required().seal(address) : address
    }

    /// The sealed form of a playlist.
    func sealed(playlist: [UInt8]) throws(StoreError) -> [UInt8] {
        SecretSpans.ofPlaylist(playlist).isEmpty ? playlist : try required().seal(playlist: playlist)
    }

    /// The sealed form of tags that list a rendition, as JSON.
    func sealed(listings: [String]) throws -> String {
        let text = try JSONText.encode(listings)
        guard SecretSpans.mayHave(text.utf8) else { return text }
        let sealer = try required()
        return try JSONText.encode(listings.map { sealer.seal(attributes: $0) })
    }

    /// The sealer; an error without one, so that no secret is written in the clear.
    private func required() throws(StoreError) -> AddressSealer {
        guard let sealer else { throw StoreError(.vault) }
        return sealer
    }
}
