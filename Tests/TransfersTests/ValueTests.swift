import Glibc
import Testing

@testable import Transfers

@Suite("An address by its bytes")
struct IPAddressTests {
    /// A socket address of a family, with as many bytes.
    private func socketAddress(_ family: Int32, _ count: Int) -> [UInt8] {
        [UInt8(family), 0, 0x1F, 0x90] + (0..<max(0, count - 4)).map { UInt8($0) }
    }

    @Test("is taken out of a socket address that is long enough, and out of no other")
    func socketAddresses() {
        #expect(IPAddress(socketAddress: socketAddress(AF_INET, 8))?.bytes == [0, 1, 2, 3])
        #expect(IPAddress(socketAddress: socketAddress(AF_INET, 7)) == nil)
        #expect(IPAddress(socketAddress: socketAddress(AF_INET6, 24))?.bytes == (4..<20).map { UInt8($0) })
        #expect(IPAddress(socketAddress: socketAddress(AF_INET6, 23)) == nil)
        #expect(IPAddress(socketAddress: socketAddress(AF_UNIX, 30)) == nil)
        #expect(IPAddress.port(socketAddress: socketAddress(AF_INET, 4)) == 8080)
        #expect(IPAddress.port(socketAddress: [2, 0, 1]) == 0)
    }

    @Test("is read from its text with brackets and zones, and a name is not an address")
    func texts() {
        #expect(IPAddress("127.0.0.1")?.bytes == [127, 0, 0, 1])
        #expect(IPAddress("[fe80::1%eth0]")?.bytes == IPAddress("fe80::1")?.bytes)
        #expect(IPAddress("localhost") == nil && IPAddress("") == nil && IPAddress("1.2.3") == nil)
    }

    @Test(
        "belongs to its network up to the borders of each",
        arguments: [
            ("9.255.255.255", IPAddress.Reach.global), ("10.0.0.0", .privateNetwork), ("11.0.0.0", .global),
            ("172.15.0.1", .global), ("172.16.0.1", .privateNetwork), ("172.31.0.1", .privateNetwork),
            ("172.32.0.1", .global), ("100.63.0.1", .global), ("100.64.0.1", .privateNetwork),
            ("100.127.0.1", .privateNetwork), ("100.128.0.1", .global), ("223.0.0.1", .global),
            ("224.0.0.1", .reserved), ("169.254.169.253", .linkLocal), ("169.254.169.254", .metadata),
            ("0.1.2.3", .unspecified), ("127.9.9.9", .loopback), ("::", .unspecified), ("::1", .loopback),
            ("fe7f::1", .global), ("fe80::1", .linkLocal), ("febf::1", .linkLocal),
            ("fec0::1", .privateNetwork),
            ("fc00::1", .privateNetwork), ("fdff::1", .privateNetwork), ("fe00::1", .global),
            ("ff02::1", .reserved),
            ("fd00:ec2::254", .metadata), ("::ffff:10.0.0.1", .privateNetwork),
            ("64:ff9b::127.0.0.1", .loopback),
            ("2002:a00:1::", .privateNetwork), ("2003:a00:1::", .global), ("::10.0.0.1", .privateNetwork),
            ("2001:db8::1", .global),
        ])
    func reach(_ text: String, _ reach: IPAddress.Reach) {
        #expect(IPAddress(text)?.reach == reach)
    }
}

@Suite("The lines of a response's head")
struct ResponseLineTests {
    private func head(_ lines: [String]) -> (head: ResponseHead, ends: [Bool]) {
        var head = ResponseHead()
        let ends = lines.map { head.take(Array($0.utf8)[...]) }
        return (head, ends)
    }

    @Test("end with the empty line of a final response; those of an interim one are forgotten")
    func interim() {
        let (head, ends) = head([
            "HTTP/1.1 103 Early\r\n", "Link: a\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "ETag: b\r\n", "\r\n",
            "X: trailer\r\n",
        ])
        #expect(ends == [false, false, false, false, false, true, false] && head.isComplete)
        let response = head.response(finalURL: "http://h/", isHead: false, now: 0)
        #expect(response?.status == 200 && response?.etag == "b")
    }

    @Test("are a response by their status line alone")
    func status() {
        for (line, status) in [
            ("HTTP/1.1 200 OK", 200), ("HTTP/2 404", 404), ("HTTP/1.0 301 Moved", 301), ("HTTP/1.1 x", nil),
            ("HTTP/1.1", nil),
        ] as [(String, Int?)] {
            #expect(head([line]).head.response(finalURL: "", isHead: false, now: 0)?.status == status)
        }
        #expect(head([]).head.response(finalURL: "", isHead: false, now: 0) == nil)
        #expect(head(["HTTP/2 200"]).head.response(finalURL: "", isHead: false, now: 0)?.version == .http2)
    }

    @Test("go on where they are indented, but not the status line")
    func folding() {
        let folded = head(["HTTP/1.1 200 OK", "ETag: a", " b", "\tc"]).head
        #expect(folded.response(finalURL: "", isHead: false, now: 0)?.etag == "a b\tc")
        let odd = head(["HTTP/1.1 200 OK", " 5", "ETag: a"]).head
        #expect(odd.response(finalURL: "", isHead: false, now: 0)?.status == 200)
    }
}

@Suite("A bucket of tokens")
struct TokenBucketTests {
    @Test("is waited for until it has one again, from 5 to 1000 milliseconds")
    func wait() {
        var bucket = TokenBucket(rate: 1000, now: 0)
        #expect(bucket.wait == 5 && !bucket.isEmpty && bucket.isFull)
        bucket.take(100)
        #expect(bucket.isEmpty && !bucket.isFull && bucket.wait == 5)
        bucket.take(99)
        #expect(bucket.wait == 100)
        bucket.take(100_000)
        #expect(bucket.wait == 1000)
        var slow = TokenBucket(rate: 10, now: 0)
        slow.take(1)
        #expect(slow.isEmpty && slow.wait == 100)
        #expect(TokenBucket(rate: nil, now: 0).wait == 5 && TokenBucket(rate: nil, now: 0).isFull)
    }

    @Test("owes at most a second for urgent bytes, and keeps earlier debts")
    func urgent() {
        var bucket = TokenBucket(rate: 1000, now: 0)
        bucket.take(50_000, isUrgent: true)
        bucket.refill(now: 1_000_000_000)
        #expect(bucket.isEmpty)
        bucket.refill(now: 1_001_000_000)
        #expect(!bucket.isEmpty)
        var deep = TokenBucket(rate: 1000, now: 0)
        deep.take(5100)
        deep.take(1, isUrgent: true)
        deep.refill(now: 4_999_000_000)
        #expect(deep.isEmpty)
        deep.refill(now: 5_002_000_000)
        #expect(!deep.isEmpty)
    }
}

@Suite("A bucket whose rate changes")
struct ChangedBucketTests {
    @Test("keeps its debt")
    func debt() {
        var bucket = TokenBucket(rate: 1000, now: 0)
        bucket.take(600)
        bucket.setRate(2000, now: 0)
        #expect(bucket.isEmpty && bucket.wait == 250)
    }

    @Test("has no more tokens than a tenth of a second brings then")
    func lowered() {
        var bucket = TokenBucket(rate: 1_000_000, now: 0)
        bucket.setRate(1000, now: 0)
        bucket.take(99)
        #expect(!bucket.isEmpty)
        bucket.take(1)
        #expect(bucket.isEmpty)
    }
}

@Suite("A failed transfer")
struct TransferErrorTests {
    @Test("is worth another try when the line or the server failed, and not when the answer was no")
    func retries() {
        let again: [TransferError.Code] = [
            .resolve, .connect, .timeout, .stalled, .connectionLost, .truncated(expected: 2, received: 1),
            .invalidResponse, .http(status: 503), .http(status: 429), .http(status: 408),
            .lengthMismatch(expected: 2, received: 1), .badContentLength, .wrongContentRange,
            .contentEncoding,
        ]
        for code in again { #expect(TransferError(code, url: "u").isRetryable) }
        for status in [400, 401, 403, 404, 410, 501, 505] {
            #expect(!TransferError(.http(status: status), url: "u").isRetryable)
        }
        #expect(!TransferError(.tls, url: "u").isRetryable && !TransferError(.other, url: "u").isRetryable)
        #expect(TransferError(.tls, url: "u", curlCode: 35).isRetryable)
    }

    @Test(
        "tells whether the answer was too long, redirected too often, or came with an untrusted certificate")
    func kinds() {
        let redirects = TransferError(.tooManyRedirects(limit: 5), url: "u")
        #expect(redirects.isOfRedirects && !redirects.isOfSize && !redirects.isUntrusted)
        let size = TransferError(.tooLarge(limit: 1), url: "u")
        #expect(size.isOfSize && !size.isOfRedirects)
        #expect(!TransferError(.other, url: "u").isOfRedirects)
        #expect(TransferError(.tls, url: "u", curlCode: 60).isUntrusted)
        #expect(!TransferError(.tls, url: "u", curlCode: 35).isUntrusted)
        #expect(!TransferError(.connect, url: "u", curlCode: 60).isUntrusted)
    }
}
