/// Decrypts a segment of METHOD=AES-128 or AES-256 while it is read: CBC with PKCS7 padding (RFC 8216bis, section
/// 5.2), in which each block needs only the one before.
package struct WholeSegmentReader: ClearReader {
    private let cipher: ContentCipher
    private let iv: [UInt8]
    /// The number of bytes without padding; `nil` before the last block was decrypted.
    package private(set) var length: Int?
    private static let block = ContentCipher.blockSize

    /// Makes a reader. If all bytes are there, the last block is decrypted first, which gives the length.
    package init(_ cipher: ContentCipher, iv: [UInt8], of source: any EncryptedSource) throws(StoreError) {
        (self.cipher, self.iv) = (cipher, iv)
        guard let count = source.count else { return }
        guard count > 0, count.isMultiple(of: Self.block) else {
            throw StoreError(.integrity(.undecryptable))
        }
        let start = max(0, count - 2 * Self.block)
        let end = try source.gather(at: start, count: count - start).bytes
        if end.count == count - start { length = try clear(end, from: start, startsInside: start > 0).length }
    }

    package mutating func read(
        at offset: Int, count: Int, from source: any EncryptedSource
    ) throws(StoreError) -> ClearStep {
        if let length, offset >= length { return .end }
        let first = offset / Self.block * Self.block
        // The block before is the vector. While the end is unknown, the last block is kept back.
        let start = max(0, first - Self.block)
        let wanted = (offset + count - start + 3 * Self.block) / Self.block * Self.block
        var gathered = try source.gather(at: start, count: wanted)
        let isLast = gathered.state == .end && length == nil
        let end = start + gathered.bytes.count
        if isLast {
            // The offset is behind the end if no block follows the vector.
            guard first == 0 || gathered.bytes.count > Self.block else { return .end }
            let (bytes, clearLength) = try clear(gathered.bytes, from: start, startsInside: first > 0)
            length = clearLength
            return offset < clearLength ? .bytes(bytes[(offset - first)..<(clearLength - first)]) : .end
        }
        var usable = gathered.bytes.count / Self.block * Self.block
        if length == nil { usable -= Self.block }
        guard start + usable > first else { return ClearStep(gathered.state, upTo: end) }
        gathered.bytes.removeLast(gathered.bytes.count - usable)
        let bytes = try blocks(gathered.bytes, startsInside: first > 0)
        return .bytes(bytes[(offset - first)..<min(bytes.count, (length ?? .max) - first)])
    }

    private func blocks(_ bytes: [UInt8], startsInside: Bool) throws(StoreError) -> [UInt8] {
        guard startsInside else { return try cipher.blocks(bytes[...], iv: iv) }
        return try cipher.blocks(bytes.dropFirst(Self.block), iv: Array(bytes.prefix(Self.block)))
    }

    /// The last blocks in the clear, and the length of the whole without its padding.
    ///
    /// - Parameter start: the position of the first encrypted byte.
    private func clear(
        _ bytes: [UInt8], from start: Int, startsInside: Bool
    ) throws(StoreError) -> (bytes: [UInt8], length: Int) {
        guard bytes.count.isMultiple(of: Self.block), bytes.count > (startsInside ? Self.block : 0) else {
            throw StoreError(.integrity(.undecryptable))
        }
        let clear = try blocks(bytes, startsInside: startsInside)
        let padding = Int(clear.last ?? 0)
        guard (1...Self.block).contains(padding), clear.suffix(padding).allSatisfy({ $0 == UInt8(padding) })
        else { throw StoreError(.integrity(.undecryptable)) }
        return (clear, start + bytes.count - padding)
    }
}
