internal import HLSPlaylist
internal import Transfers

/// The address of a stream, as somebody typed it.
package enum StreamAddress {
    /// Only http and https are fetched, from hosts and ports that there can be. Control characters can't be meant
    /// (RFC 3986, section 2).
    package static func checked(_ text: String) throws(StoreError) -> String {
        let reference = URIReference(text)
        guard let scheme = reference.scheme?.lowercased(), ["http", "https"].contains(scheme),
            reference.host?.isEmpty == false, text.unicodeScalars.allSatisfy({ !$0.isASCIIControl }),
            TransferRequest.mayBeMade(for: reference.description)
        else { throw StoreError(.invalidURL(shown(text))) }
        return reference.description
    }

    /// The part of a text that is no URL which may be shown: a mistyped one may still hold a password or a signature.
    package static func shown(_ text: String) -> String {
        let redacted = URIReference.shown(text).plainLine
        guard let at = redacted.lastIndex(of: "@") else { return redacted }
        return "…\(redacted[at...])"
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIIControl: Bool { value < 0x20 || value == 0x7F }
}
