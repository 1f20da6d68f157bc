internal import HLSPlaylist
internal import Transfers

/// Stored session data that the stream has at an address of their own (EXT-X-SESSION-DATA with URI, RFC 8216bis,
/// section 4.4.6.4).
package struct SessionDataRecord: Sendable {
    /// Its place among the session data of the multivariant playlist.
    package var number: Int
    /// Whether it is JSON; otherwise its type is not restricted.
    package var isJSON: Bool
    package var body: [UInt8]

    package init(number: Int, isJSON: Bool, body: [UInt8]) {
        self.number = number
        self.isJSON = isJSON
        self.body = body
    }
}
