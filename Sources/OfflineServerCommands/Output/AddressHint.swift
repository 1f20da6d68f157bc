internal import AssetStore

/// The advice for an argument that is not an address. Pure.
enum AddressHint {
    /// - Parameters:
    ///   - text: the text in a form that may be shown.
    ///   - isThere: whether a file or folder of this machine has this path.
    static func advice(for text: String, isThere: (String) -> Bool) -> String {
        if AssetToken(text) != nil {
            return "it is the token of an asset, which `offline-server status \(text)` shows"
        }
        let path = text.hasPrefix("file://") ? String(text.dropFirst("file://".count)) : text
        if !path.isEmpty, isThere(path) {
            return "it is on this machine: `offline-server import \(path)` makes an asset of it"
        }
        if text.count > 20, text.allSatisfy({ $0.isASCII && ($0.isUppercase || $0.isNumber) }) {
            return "a token has 26 letters and digits: `offline-server list` shows them all"
        }
        if StoreError.hasHTTPScheme(text) { return StoreError.badURLAdvice }
        return "an address begins with https:// or http://"
    }
}
