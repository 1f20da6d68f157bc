extension KeyDesk {
    /// A key with which this program decrypts a unit, under the same terms as if it were handed out.
    ///
    /// - Parameters:
    ///   - id: the name of the key in the playlist.
    ///   - identifier: the key ID in the media; a key that was added under this ID takes precedence.
    ///   - counts: whether this counts as a play.
    package func use(
        _ token: AssetToken, _ id: String?, identifier: [UInt8]? = nil, counts: Bool
    ) throws(StoreError) -> [UInt8] {
        guard let folder = try folder(token) else { throw StoreError(.key(.missing)) }
        let given = identifier.flatMap { folder.given($0) }
        guard let id = given ?? id else { throw StoreError(.key(.missing)) }
        // Only the first play counts here.
        let isFirst = counts && folder.license.firstPlayedAt == nil
        switch try answer(token, id, counts: isFirst) {
        case .key(let bytes, _): return bytes
        case .refused(let refusal): throw StoreError(.license(refusal, token))
        case .missing, .unknown: throw StoreError(.key(.missing))
        }
    }

    /// A digest of the keys that were added to an asset, and of those of key systems. Only these may be replaced
    /// under their names, so that the same stored bytes decrypt to other media. Empty without any. Blocks for a
    /// query.
    package func digestOfGivenKeys(_ token: AssetToken) throws(StoreError) -> [UInt8] {
        let given = try folder(token)?.keys.values.filter { $0.identifier != nil || $0.format != nil } ?? []
        return given.sorted { $0.id < $1.id }.flatMap { $0.digest ?? [] }
    }

    private func answer(_ token: AssetToken, _ id: String, counts: Bool) throws(StoreError) -> KeyAnswer {
        if let quick = quickKey(token, id, counts: counts) { return quick }
        return try key(token, id, counts: counts)
    }

    /// The keys of an asset with these key IDs of 16 bytes, as in a ClearKey license (W3C Encrypted Media Extensions,
    /// section 9.1), each once; IDs without a key are left out. Blocks for a query, and at the first time for reading
    /// the media.
    ///
    /// - Throws: `noSuchAsset`, `notEncrypted`, `license`.
    package func clearKeys(
        _ token: AssetToken, _ identifiers: [[UInt8]]
    ) throws(StoreError) -> [(identifier: [UInt8], key: [UInt8])] {
        let folder = try requireFolder(token)
        if let refusal = try refusal(token) { throw StoreError(.license(refusal, token)) }
        var found: [(identifier: [UInt8], key: [UInt8])] = []
        var seen: Set<[UInt8]> = []
        let wanted = identifiers.filter { seen.insert($0).inserted }
        let names = wanted.allSatisfy { quickName(token, $0) != nil } ? [:] : names(token)
        for identifier in wanted {
            guard let id = folder.given(identifier) ?? quickName(token, identifier) ?? names[identifier]
            else { continue }
            if case .key(let bytes, _) = try answer(token, id, counts: true) {
                found.append((identifier, bytes))
            }
        }
        return found
    }
}

extension KeyDesk {
    /// The keys for decrypting, if that takes no query; `nil` if it does, or if a refusal must be explained. Never
    /// blocks for long.
    package func quickClearKeys(
        _ token: AssetToken, _ identifiers: [[UInt8]]
    ) -> [(identifier: [UInt8], key: [UInt8])]? {
        // Without a requested key, nothing has shown that the asset exists and that its license is valid.
        guard !identifiers.isEmpty else { return nil }
        var found: [(identifier: [UInt8], key: [UInt8])] = []
        var seen: Set<[UInt8]> = []
        for identifier in identifiers where seen.insert(identifier).inserted {
            guard let id = quickName(token, identifier),
                case .key(let bytes, _)? = quickKey(token, id, counts: false)
            else { return nil }
            found.append((identifier, bytes))
        }
        // If one of them needs a query, all are requested again.
        countNow(found.count, of: token)
        return found
    }
}

extension KeyFolder {
    /// The name of the key that was given under an identifier.
    package func given(_ identifier: [UInt8]) -> String? {
        keys.values.first { $0.identifier == identifier && $0.sealed != nil }?.id
    }
}
