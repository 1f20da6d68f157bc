import HLSPlaylist
import Testing

@Suite("Keys and maps")
struct EncryptionTests {
    @Test("a key applies until the next of its KEYFORMAT, and METHOD=NONE ends all of them")
    func keysInForce() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXTINF:1,
            a
            #EXT-X-KEY:METHOD=AES-128,URI="k1"
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://1",KEYFORMAT="com.apple.streamingkeydelivery"
            #EXTINF:1,
            b
            #EXT-X-KEY:METHOD=AES-128,URI="k2"
            #EXTINF:1,
            c
            #EXT-X-KEY:METHOD=NONE
            #EXTINF:1,
            d
            """)
        #expect(
            playlist.segments.map { $0.keys.compactMap(\.uri) } == [
                [], ["k1", "skd://1"], ["skd://1", "k2"], [],
            ])
        #expect(playlist.segments[1].keys.map(\.method) == [.aes128, .sampleAES])
        #expect(playlist.segments[1].keys.map(\.keyFormat) == ["identity", "com.apple.streamingkeydelivery"])
    }

    @Test("a key between EXTINF and the URI applies to that segment")
    func lateKey() throws {
        let playlist = try media("#EXTM3U\n#EXTINF:1,\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\na\n")
        #expect(playlist.segments[0].keys.first?.uri == "k")
    }

    @Test("a short vector is filled up on the left; a vector that cannot be read is told apart from none")
    func vectors() throws {
        let short = try #require(InitializationVector(hexadecimal: "0X1566B"))
        #expect(short.verbatim == "0x0000000000000000000000000001566b")
        for text in ["", "0x", "15", "0xG", "[iv]", "0x" + String(repeating: "1", count: 33)] {
            #expect(InitializationVector(hexadecimal: text) == nil)
        }
        #expect(InitializationVector(bytes: [1, 2]) == nil)
        let playlist = try media("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=[iv]\n#EXTINF:1,\na\n")
        let key = try #require(playlist.segments[0].keys.first)
        #expect(key.iv == nil && key.ivText == "[iv]")
        #expect(key.initializationVector(mediaSequence: 1) == nil)
    }

    @Test("without a vector the media sequence number is the vector, big-endian")
    func implicitVector() throws {
        let key = EncryptionKey(method: .aes128, uri: "k")
        let vector = key.initializationVector(mediaSequence: 0x0102_0304_0506)
        #expect(vector?.bytes == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6])
    }

    @Test("maps are listed once, by URI, range and the keys in force where they stand")
    func maps() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-MAP:URI="i.mp4",BYTERANGE="100@20"
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x01
            #EXTINF:1,
            a
            #EXT-X-MAP:URI="i.mp4",BYTERANGE="100@20"
            #EXTINF:1,
            b
            #EXT-X-KEY:METHOD=NONE
            #EXT-X-MAP:URI="i.mp4",BYTERANGE="100@20"
            #EXTINF:1,
            c
            #EXT-X-MAP:URI="j.mp4",BYTERANGE="5"
            #EXTINF:1,
            d
            """)
        #expect(playlist.segments.map(\.initializationSection) == [0, 1, 0, 2])
        #expect(playlist.initializationSections.map(\.keys.count) == [0, 1, 0])
        #expect(playlist.initializationSections[2].byteRange == ByteRange(length: 5, offset: 0))
        #expect(playlist.segments[0].keys.count == 1)
    }

    @Test("a key without a method and a map without a URI are refused")
    func missing() {
        let key = refusal("#EXTM3U\n#EXT-X-KEY:URI=\"k\"\n#EXTINF:1,\na\n")
        #expect(key?.code == .missingAttribute("METHOD"))
        let map = refusal("#EXTM3U\n#EXT-X-MAP:BYTERANGE=\"1@0\"\n#EXTINF:1,\na\n")
        #expect(map?.code == .missingAttribute("URI"))
    }

    @Test("an edited key keeps its other attributes")
    func editing() throws {
        let list = try AttributeList(parsing: #"METHOD=AES-128,URI="https://k/1?t=2",X-A="b",IV=0x01"#)
        let key = try #require(EncryptionKey(list)).replacing(uri: "keys/1")
        #expect(key.attributes.verbatim == #"METHOD=AES-128,URI="keys/1",X-A="b",IV=0x01"#)
        #expect(key.replacing(iv: InitializationVector(mediaSequence: 2)).iv?.bytes.last == 2)
    }

    @Test("vectors of segments are their numbers, big-endian, up to the largest")
    func numbers() {
        func vector(_ number: Int) -> String { InitializationVector(mediaSequence: number).verbatim }
        #expect(vector(0) == "0x" + String(repeating: "0", count: 32))
        #expect(vector(0x0102_0304_0506_0708) == "0x00000000000000000102030405060708")
        #expect(vector(-1) == vector(0))
        #expect(InitializationVector(bytes: [UInt8](repeating: 1, count: 15)) == nil)
        #expect(InitializationVector(bytes: [UInt8](repeating: 1, count: 17)) == nil)
        #expect(InitializationVector(hexadecimal: "0x") == nil)
        #expect(InitializationVector(hexadecimal: "0x" + String(repeating: "1", count: 33)) == nil)
        #expect(InitializationVector(hexadecimal: "0X1")?.bytes.last == 1)
        #expect(InitializationVector(hexadecimal: "1x1") == nil)
    }
}
