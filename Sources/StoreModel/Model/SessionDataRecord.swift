internal import HLSPlaylist
internal import Transfers

/// Session data that lies at an address of its own (EXT-X-SESSION-DATA with URI, RFC 8216bis, section 4.4.6.4), as it
/// is stored.
package struct SessionDataRecord: Sendable {
    /// Its place among the session data of the multivariant playlist.
    package var number: Int
    /// Whether it is JSON; else it is of any type.
    package var isJSON: Bool
    package var body: [UInt8]

    package init(number: Int, isJSON: Bool, body: [UInt8]) {
        self.number = number
        self.isJSON = isJSON
        self.body = body
    }
}
