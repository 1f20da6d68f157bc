import Crypto
import CryptoExtras
import Foundation

/// Media that players can find their way in, with content that differs from seed to seed.
public enum SampleMedia {
    /// Packets of an MPEG-2 transport stream, in each of which a picture begins.
    public static func transportStream(_ packets: Int, seed: UInt64 = 1) -> [UInt8] {
        (0..<packets).flatMap { packet in
            packetHead(packet) + OriginResource.pattern(175, seed: seed &* 1000 &+ UInt64(packet))
        }
    }

    /// The header of a transport packet and that of a PES packet without timestamps (ISO/IEC 13818-1).
    private static func packetHead(_ number: Int) -> [UInt8] {
        [0x47, 0x41, 0x00, 0x10 | UInt8(number & 15), 0, 0, 1, 0xE0, 0, 0, 0x80, 0, 0]
    }

    /// An MP4 box.
    public static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        ProtectedMovie.box(type, content)
    }

    /// An initialization section with one track, of `count` bytes besides the headers of its boxes.
    public static func initialization(seed: UInt64 = 1, count: Int = 208) -> [UInt8] {
        let track = box("trak", box("free", OriginResource.pattern(max(0, count - 16), seed: seed)))
        return box("ftyp", OriginResource.pattern(16, seed: seed)) + box("moov", track)
    }

    /// A movie fragment without samples, with media data of `count` bytes.
    public static func fragment(seed: UInt64 = 1, count: Int = 2000) -> [UInt8] {
        let number = box("mfhd", [UInt8](repeating: 0, count: 8))
        let fragment = box("moof", number + box("free", OriginResource.pattern(76, seed: seed)))
        return fragment + box("mdat", OriginResource.pattern(count, seed: seed))
    }

    /// Bytes encrypted as METHOD=AES-128 encrypts a segment, with its media sequence number as vector.
    public static func encrypted(_ bytes: [UInt8], key: [UInt8], number: Int) -> [UInt8] {
        let vector = (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: number >> (8 * (15 - $0))) }
        let cipher = try? AES._CBC.encrypt(
            bytes, using: SymmetricKey(data: key), iv: AES._CBC.IV(ivBytes: vector))
        return cipher.map { [UInt8]($0) } ?? []
    }
}
