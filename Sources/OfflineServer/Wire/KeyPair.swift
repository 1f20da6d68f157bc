internal import ASCII
internal import AssetStore

/// A key with its identifier, as `KID:KEY` in hexadecimal digits.
package struct KeyPair {
    package var identifier: [UInt8]
    package var key: [UInt8]
    /// As it was written.
    package let text: String

    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let identifier = Hexadecimal.bytes(parts[0]), identifier.count == 16,
            let key = Hexadecimal.bytes(parts[1]), key.count == 16
        else { return nil }
        (self.identifier, self.key, self.text) = (identifier, key, text)
    }
}
