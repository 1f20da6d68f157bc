internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials

/// AES as media are encrypted with it. A wrong key or damaged media give nothing but an error.
struct ContentCipher {
    private let key: SymmetricKey
    static let blockSize = 16

    init(_ key: [UInt8]) throws(StoreError) {
        guard key.count == Self.blockSize || key.count == 32 else {
            throw StoreError(.key(.length(key.count)))
        }
        self.key = SymmetricKey(data: key)
    }

    /// A whole segment of METHOD=AES-128 or AES-256: CBC with PKCS7 padding (RFC 8216bis, section 5.2).
    func wholeSegment(_ bytes: [UInt8], iv: [UInt8]) throws(StoreError) -> [UInt8] {
        do {
            return [UInt8](try AES._CBC.decrypt(bytes, using: key, iv: AES._CBC.IV(ivBytes: iv)))
        } catch {
            throw StoreError(.integrity(.undecryptable))
        }
    }

    /// Whole blocks of a CBC chain.
    func blocks(_ bytes: [UInt8], iv: [UInt8]) throws(StoreError) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        do {
            return [UInt8](
                try AES._CBC.decrypt(bytes, using: key, iv: AES._CBC.IV(ivBytes: iv), noPadding: true))
        } catch {
            throw StoreError(.integrity(.undecryptable))
        }
    }

    /// Bytes of a CTR stream; an IV of 8 bytes counts from zero (ISO/IEC 23001-7, section 9.6).
    func stream(_ bytes: [UInt8], iv: [UInt8]) throws(StoreError) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        let counter = iv + [UInt8](repeating: 0, count: max(0, Self.blockSize - iv.count))
        do {
            return [UInt8](
                try AES._CTR.decrypt(bytes, using: key, nonce: AES._CTR.Nonce(nonceBytes: counter)))
        } catch {
            throw StoreError(.integrity(.undecryptable))
        }
    }

    /// Decrypts some of the blocks of a range: `crypt` of them, then `skip` in the clear, and so on, all in one
    /// chain. What is no whole block at the end is in the clear.
    ///
    /// - Parameter keepsLast: whether a whole block at the very end is in the clear, too.
    func pattern(
        _ bytes: inout [UInt8], _ range: Range<Int>, crypt: Int, skip: Int, iv: [UInt8],
        keepsLast: Bool = false
    ) throws(StoreError) {
        let places = Self.places(range, crypt: crypt, skip: skip, keepsLast: keepsLast)
        var chain: [UInt8] = []
        chain.reserveCapacity(places.reduce(0) { $0 + $1.count })
        for place in places { chain += bytes[place] }
        let clear = try blocks(chain, iv: iv)
        var position = 0
        for place in places {
            bytes.replaceSubrange(place, with: clear[position..<position + place.count])
            position += place.count
        }
    }

    private static func places(_ range: Range<Int>, crypt: Int, skip: Int, keepsLast: Bool) -> [Range<Int>] {
        let least = keepsLast ? blockSize + 1 : blockSize
        var places: [Range<Int>] = []
        var start = range.lowerBound
        while range.upperBound - start >= least {
            let whole = (range.upperBound - start - (keepsLast ? 1 : 0)) / blockSize
            let count = (skip == 0 ? whole : min(crypt, whole)) * blockSize
            places.append(start..<start + count)
            start += count + skip * blockSize
        }
        return places
    }
}
