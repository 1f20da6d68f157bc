internal import Crypto
internal import Foundation
internal import Locking

/// Seals the secret parts of addresses, user information and queries, so that a copy of the catalog has none of them.
/// A sealed address still resolves against others like the whole one. Equal secrets have equal sealed texts, so that
/// sealed addresses can be compared.
package final class AddressSealer: Sendable {
    /// The beginning of sealed text. Base 64 for URLs (RFC 4648, section 5) without padding follows.
    package static let mark = Array("~sealed.".utf8)
    private static let nonceLength = 12
    private static let memoSize = 64

    private let nonceKey: SymmetricKey
    private let key: SymmetricKey
    /// The secrets that were sealed and opened last: most addresses of a stream have the same one.
    private let sealed = Lock<[ArraySlice<UInt8>: [UInt8]]>([:])
    private let opened = Lock<[ArraySlice<UInt8>: [UInt8]]>([:])

    package init(_ vault: KeyVault) {
        nonceKey = vault.derived("address nonces")
        key = vault.derived("addresses")
    }

    // MARK: Addresses

    /// An address with its secret parts sealed; sealed parts stay unchanged.
    package func seal(_ address: String) -> String {
        guard SecretSpans.mayHave(address.utf8) else { return address }
        let bytes = Array(address.utf8)
        let spans = SecretSpans.ofAddress(bytes[...])
        return spans.isEmpty ? address : String(decoding: seal(bytes, spans), as: UTF8.self)
    }

    /// The original address; parts that another key sealed stay sealed.
    package func open(_ address: String) -> String {
        guard address.utf8.contains(Self.mark[0]) else { return address }
        let bytes = Array(address.utf8)
        guard let opened = openedBytes(bytes) else { return address }
        return String(decoding: opened, as: UTF8.self)
    }

    // MARK: Playlists

    /// A playlist, or some lines of one, with the secret parts of all its addresses sealed.
    package func seal(playlist: [UInt8]) -> [UInt8] {
        let spans = SecretSpans.ofPlaylist(playlist)
        return spans.isEmpty ? playlist : seal(playlist, spans)
    }

    /// The original playlist.
    package func open(playlist: [UInt8]) -> [UInt8] {
        guard playlist.contains(Self.mark[0]) else { return playlist }
        return openedBytes(playlist) ?? playlist
    }

    /// The attribute list of a tag with its secret parts sealed.
    package func seal(attributes: String) -> String {
        let line = Array("#:\(attributes)".utf8)
        let spans = SecretSpans.ofPlaylist(line)
        return spans.isEmpty ? attributes : String(decoding: seal(line, spans).dropFirst(2), as: UTF8.self)
    }

    // MARK: Pieces

    private func seal(_ bytes: [UInt8], _ spans: [Range<Int>]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + spans.count * 48)
        var position = 0
        for span in spans {
            result += bytes[position..<span.lowerBound]
            result += sealedPiece(bytes[span])
            position = span.upperBound
        }
        return result + bytes[position...]
    }

    private func sealedPiece(_ piece: ArraySlice<UInt8>) -> [UInt8] {
        if piece.starts(with: Self.mark) { return Array(piece) }
        return Self.remembered(piece, in: sealed) {
            let digest = HMAC<SHA256>.authenticationCode(for: piece, using: nonceKey)
            guard let nonce = try? AES.GCM.Nonce(data: Array(digest.prefix(Self.nonceLength))),
                let combined = try? AES.GCM.seal(piece, using: key, nonce: nonce).combined
            else { return nil }
            let text = combined.base64EncodedString().utf8.compactMap(Self.urlDigit)
            return Self.mark + text
        } ?? Self.mark
    }

    /// The opened bytes; `nil` if nothing in them can be opened.
    private func openedBytes(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var (position, search) = (0, 0)
        while let start = bytes[search...].firstIndex(of: Self.mark[0]) {
            search = start + 1
            guard bytes[start...].starts(with: Self.mark) else { continue }
            let end = bytes[(start + Self.mark.count)...].firstIndex { !Self.isDigit($0) } ?? bytes.count
            guard let piece = openedPiece(bytes[start..<end]) else { continue }
            result += bytes[position..<start]
            result += piece
            (position, search) = (end, end)
        }
        return position == 0 ? nil : result + bytes[position...]
    }

    private func openedPiece(_ piece: ArraySlice<UInt8>) -> [UInt8]? {
        Self.remembered(piece, in: opened) {
            let digits = piece.dropFirst(Self.mark.count).map(Self.usualDigit)
            let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
            guard let combined = Data(base64Encoded: Data(digits + padding)),
                let box = try? AES.GCM.SealedBox(combined: combined),
                let bytes = try? AES.GCM.open(box, using: key)
            else { return nil }
            return [UInt8](bytes)
        }
    }

    private static func remembered(
        _ piece: ArraySlice<UInt8>, in memo: Lock<[ArraySlice<UInt8>: [UInt8]]>, _ make: () -> [UInt8]?
    ) -> [UInt8]? {
        if let known = memo.withLock({ $0[piece] }) { return known }
        guard let made = make() else { return nil }
        memo.withLock { memo in
            if memo.count >= memoSize { memo = [:] }
            memo[ArraySlice(Array(piece))] = made
        }
        return made
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func urlDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        case UInt8(ascii: "="): nil
        default: byte
        }
    }

    private static func usualDigit(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: byte
        }
    }
}
