internal import HLSPlaylist
internal import Transfers

/// The address of a stream, from a user's text.
package enum StreamAddress {
    /// Checks an address: http or https, with a possible host and port. Control characters are not permitted (RFC
    /// 3986, section 2).
    package static func checked(_ text: String) throws(StoreError) -> String {
        let reference = URIReference(text)
        guard let scheme = reference.scheme?.lowercased(), ["http", "https"].contains(scheme),
            reference.host?.isEmpty == false, text.unicodeScalars.allSatisfy({ !$0.isASCIIControl }),
            TransferRequest.mayBeMade(for: reference.description)
        else { throw StoreError(.invalidURL(shown(text))) }
        return reference.description
    }

    /// The part of an invalid URL that may be shown: a mistyped one may still hold a password or a signature.
    package static func shown(_ text: String) -> String {
        let redacted = URIReference.shown(text).plainLine
        guard let at = redacted.lastIndex(of: "@") else { return redacted }
        return "…\(redacted[at...])"
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIIControl: Bool { value < 0x20 || value == 0x7F }
}
