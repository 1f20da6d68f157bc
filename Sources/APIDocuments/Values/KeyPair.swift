internal import ASCII

/// A key with its name, as `ID:KEY`: in hexadecimal digits, the name as the asset or its media have it.
package struct KeyPair {
    /// The name of a key.
    package enum Name {
        /// The identifier that the media have for it (KID).
        case identifier([UInt8])
        /// The key's ID among the keys of the asset.
        case id(String)
    }

    package var name: Name
    package var key: [UInt8]
    /// The text as it was written.
    package let text: String

    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let name = Name(parts[0]), let key = Hexadecimal.bytes(parts[1]),
            key.count == 16 || key.count == 32
        else { return nil }
        (self.name, self.key, self.text) = (name, key, text)
    }
}

extension KeyPair.Name {
    package init?(_ text: String) {
        let digits = text.hasPrefix("id-") ? String(text.dropFirst(3)) : text
        if let identifier = Hexadecimal.bytes(digits), identifier.count == 16 {
            self = .identifier(identifier)
        } else if text.first == "k", text.count <= 10, text.dropFirst().allSatisfy({ "0"..."9" ~= $0 }),
            text.count > 1
        {
            self = .id(text)
        } else {
            return nil
        }
    }
}
