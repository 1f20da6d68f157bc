internal import ASCII
internal import Foundation

/// Finds the key in a provider's answer.
package struct KeyProviderAnswer {
    private let places: KeyProviderSettings.Answer
    private let provider: String
    private let now: Timestamp
    private let keyLength: Int

    /// - Parameter keyLength: the length in bytes of a plain key.
    package init(_ places: KeyProviderSettings.Answer?, provider: String, now: Timestamp, keyLength: Int) {
        (self.places, self.provider, self.now) = (places ?? .init(), provider, now)
        self.keyLength = keyLength
    }

    package func key(in bytes: [UInt8]) throws(StoreError) -> ProvidedKey {
        guard places.key != nil || bytes.first == UInt8(ascii: "{") && bytes.count != keyLength
        else {
            let type = places.contentType
            let key =
                try type == nil || places.encoding != nil
                ? KeyBytes.read(
                    bytes, places.encoding, for: provider, length: type == nil ? keyLength : nil) : bytes
            return ProvidedKey(key, contentType: type)
        }
        let document = try? JSONSerialization.jsonObject(with: Data(bytes))
        guard let text = Self.value(at: places.key ?? "key", in: document) as? String else {
            throw StoreError(.key(.unprovided(provider)))
        }
        let type = Self.value(at: places.contentType ?? "content_type", in: document) as? String
        let blobType = type ?? (places.contentType?.contains("/") == true ? places.contentType : nil)
        return ProvidedKey(
            try KeyBytes.read(
                Array(text.utf8), places.encoding, for: provider, length: blobType == nil ? keyLength : nil),
            renewAt: date(Self.value(at: places.renewalDate ?? "renewal_date", in: document)),
            contentType: blobType)
    }

    private static func value(at path: String, in document: Any?) -> Any? {
        var value = document
        for name in path.split(separator: ".") {
            if let object = value as? [String: Any] {
                value = object[String(name)]
            } else if let list = value as? [Any], let index = Int(name), list.indices.contains(index) {
                value = list[index]
            } else {
                return nil
            }
        }
        return value
    }

    /// RFC 3339, or seconds: since 1970 when there are many, else from now.
    private func date(_ value: Any?) -> Timestamp? {
        if let text = value as? String { return Timestamp(rfc3339: text) }
        guard let seconds = (value as? NSNumber)?.doubleValue, seconds > 0, seconds < 1e11 else { return nil }
        let milliseconds = Int64(seconds * 1000)
        return Timestamp(milliseconds: seconds > 1e9 ? milliseconds : now.milliseconds + milliseconds)
    }
}

/// Reads keys from texts.
package enum KeyBytes {
    /// - Parameters:
    ///   - encoding: of the bytes; found out when `nil`.
    ///   - length: how many bytes it must have; `nil` for any.
    package static func read(
        _ bytes: [UInt8], _ encoding: KeyProviderSettings.Encoding?, for provider: String,
        length: Int?
    ) throws(StoreError) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let found: [UInt8]? =
            switch encoding {
            case .raw: bytes
            case .hex: Hexadecimal.bytes(text)
            case .base64: base64(text)
            case nil: guess(bytes, text, length: length)
            }
        guard let found, !found.isEmpty, found.count == length ?? found.count else {
            throw StoreError(.key(.unprovided(provider)))
        }
        return found
    }

    private static func guess(_ bytes: [UInt8], _ text: String, length: Int?) -> [UInt8]? {
        let length = length ?? 16
        if bytes.count == length { return bytes }
        if text.utf8.count == 2 * length, let key = Hexadecimal.bytes(text) { return key }
        return base64(text)
    }

    /// Reads base 64 in either alphabet, with or without padding (RFC 4648, sections 4 and 5).
    package static func base64(_ text: String) -> [UInt8]? {
        let usual = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        let padding = String(repeating: "=", count: (4 - usual.utf8.count % 4) % 4)
        return Data(base64Encoded: usual + padding).map { [UInt8]($0) }
    }
}

extension Timestamp {
    /// Reads a time by RFC 3339; `nil` for other texts.
    package init?(rfc3339 text: String) {
        guard let date = try? Date.ISO8601FormatStyle().parse(text) else { return nil }
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}
