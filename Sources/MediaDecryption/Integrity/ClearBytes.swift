internal import HLSPlaylist
internal import Locking
package import MediaContainers

/// The key and vector of a unit that is encrypted as a whole in blocks (METHOD=AES-128 and AES-256).
package struct WholeSegmentCipher: Sendable {
    package let cipher: ContentCipher
    package let iv: [UInt8]

    package init(cipher: ContentCipher, iv: [UInt8]) {
        self.cipher = cipher
        self.iv = iv
    }
}

/// The clear content of a unit that is encrypted as a whole; it is decrypted as it is read and not stored.
package struct ClearBytes<Source: MediaBytes>: MediaBytes where Source.Failure == StoreError {
    private let source: Source
    private let cipher: WholeSegmentCipher
    /// Whether it ends with valid padding (RFC 8216bis, section 4.4.4.4).
    let isPadded: Bool
    /// The length without padding; malformed padding is included.
    package let count: Int
    private static var block: Int { ContentCipher.blockSize }

    /// Makes clear content of at least one block; bytes behind the last whole block are left out.
    package init(_ source: Source, _ cipher: WholeSegmentCipher) throws(StoreError) {
        (self.source, self.cipher) = (source, cipher)
        let whole = source.count / Self.block * Self.block
        let last = try Self.blocks(whole - Self.block, Self.block, source: source, cipher: cipher)
        let padding = Int(last.last ?? 0)
        isPadded =
            whole == source.count && (1...Self.block).contains(padding)
            && last.suffix(padding).allSatisfy { $0 == last.last }
        count = whole - (isPadded ? padding : 0)
    }

    package func read(at offset: Int, count: Int) throws(StoreError) -> [UInt8] {
        guard offset >= 0, offset < self.count else { return [] }
        let wanted = min(count, self.count - offset)
        let first = offset / Self.block * Self.block
        let end = (offset + wanted + Self.block - 1) / Self.block * Self.block
        let clear = try Self.blocks(first, end - first, source: source, cipher: cipher)
        return Array(clear.dropFirst(offset - first).prefix(wanted))
    }

    /// Decrypts whole blocks; the block before them is their vector.
    private static func blocks(
        _ start: Int, _ count: Int, source: Source, cipher: WholeSegmentCipher
    ) throws(StoreError) -> [UInt8] {
        guard start > 0 else {
            return try cipher.cipher.blocks(source.read(at: 0, count: count)[...], iv: cipher.iv)
        }
        let bytes = try source.read(at: start - block, count: count + block)
        return try cipher.cipher.blocks(bytes.dropFirst(block), iv: Array(bytes.prefix(block)))
    }
}

extension UnitJob {
    /// The unit as a URL names it.
    package var name: UnitName {
        switch unit.kind {
        case .segment: .segment(unit.number)
        case .initialization: .initialization(unit.number)
        }
    }
}
