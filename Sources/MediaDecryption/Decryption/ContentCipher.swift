internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials

/// AES in the modes of media encryption. A wrong key or damaged media result in an error only.
package struct ContentCipher: Sendable {
    private let key: SymmetricKey
    package static let blockSize = 16

    package init(_ key: [UInt8]) throws(StoreError) {
        guard key.count == Self.blockSize || key.count == 32 else {
            throw StoreError(.key(.length(key.count)))
        }
        self.key = SymmetricKey(data: key)
    }

    /// Whole blocks of a CBC chain.
    package func blocks(_ bytes: ArraySlice<UInt8>, iv: [UInt8]) throws(StoreError) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        do {
            return [UInt8](
                try AES._CBC.decrypt(bytes, using: key, iv: AES._CBC.IV(ivBytes: iv), noPadding: true))
        } catch {
            throw StoreError(.integrity(.undecryptable))
        }
    }

    /// Bytes of a CTR stream; an IV of 8 bytes counts from zero (ISO/IEC 23001-7, section 9.6).
    ///
    /// - Parameter offset: how many bytes of the stream come before them.
    package func stream(_ bytes: ArraySlice<UInt8>, iv: [UInt8], offset: Int = 0) throws(StoreError)
        -> [UInt8]
    {
        guard !bytes.isEmpty else { return [] }
        let (blocks, lead) = offset.quotientAndRemainder(dividingBy: Self.blockSize)
        let counter = Self.counter(iv, plus: blocks)
        do {
            let nonce = try AES._CTR.Nonce(nonceBytes: counter)
            if lead == 0 { return [UInt8](try AES._CTR.decrypt(bytes, using: key, nonce: nonce)) }
            let padded = [UInt8](repeating: 0, count: lead) + bytes
            return [UInt8](try AES._CTR.decrypt(padded, using: key, nonce: nonce).dropFirst(lead))
        } catch {
            throw StoreError(.integrity(.undecryptable))
        }
    }

    /// The counter of a later block. Only its last 8 bytes count (ISO/IEC 23001-7, section 9.3).
    private static func counter(_ iv: [UInt8], plus blocks: Int) -> [UInt8] {
        var counter = iv + [UInt8](repeating: 0, count: max(0, blockSize - iv.count))
        guard counter.count == blockSize else { return counter }
        let low = counter.number(at: 8, 8) &+ UInt64(blocks)
        for place in 0..<8 { counter[8 + place] = UInt8(truncatingIfNeeded: low >> UInt64(56 - 8 * place)) }
        return counter
    }

    /// Decrypts some of the blocks of a range: `crypt` blocks encrypted, then `skip` blocks in the clear, and so on,
    /// in one chain. A partial block at the end is in the clear.
    ///
    /// - Parameter keepsLast: whether a whole block at the very end is in the clear, too.
    package func pattern(
        _ bytes: inout [UInt8], _ range: Range<Int>, crypt: Int, skip: Int, iv: [UInt8],
        keepsLast: Bool = false
    ) throws(StoreError) {
        let places = BlockPattern.places(range, crypt: crypt, skip: skip, keepsLast: keepsLast)
        let clear = try blocks(BlockPattern.joined(bytes, places)[...], iv: iv)
        BlockPattern.scatter(clear, over: places, in: &bytes)
    }
}

/// The encrypted blocks of a range: alternating encrypted and clear blocks (ISO/IEC 23001-7, section 9.6).
package enum BlockPattern {
    /// - Parameter keepsLast: whether a whole block at the very end is in the clear.
    package static func places(_ range: Range<Int>, crypt: Int, skip: Int, keepsLast: Bool = false) -> [Range<
        Int
    >] {
        let size = ContentCipher.blockSize
        let least = keepsLast ? size + 1 : size
        var places: [Range<Int>] = []
        var start = range.lowerBound
        while range.upperBound - start >= least {
            let whole = (range.upperBound - start - (keepsLast ? 1 : 0)) / size
            let count = (skip == 0 ? whole : min(crypt, whole)) * size
            places.append(start..<start + count)
            start += count + skip * size
        }
        return places
    }

    /// The number of encrypted bytes of a range, and their end: computed from the pattern without listing the blocks.
    static func extent(_ range: Range<Int>, crypt: Int, skip: Int) -> (count: Int, end: Int) {
        let size = ContentCipher.blockSize
        guard skip > 0 else {
            let count = range.count / size * size
            return (count, range.lowerBound + count)
        }
        let (whole, rest) = range.count.quotientAndRemainder(dividingBy: (crypt + skip) * size)
        let last = min(crypt, rest / size)
        let end = last > 0 ? whole * (crypt + skip) + last : max(0, whole - 1) * (crypt + skip) + crypt
        return ((whole * crypt + last) * size, range.lowerBound + end * size)
    }

    package static func joined(_ bytes: [UInt8], _ places: [Range<Int>]) -> [UInt8] {
        if places.count == 1 { return Array(bytes[places[0]]) }
        var joined: [UInt8] = []
        joined.reserveCapacity(places.reduce(0) { $0 + $1.count })
        for place in places { joined += bytes[place] }
        return joined
    }

    static func scatter(_ clear: [UInt8], over places: [Range<Int>], in bytes: inout [UInt8]) {
        var position = 0
        for place in places {
            bytes.replaceSubrange(place, with: clear[position..<position + place.count])
            position += place.count
        }
    }
}
