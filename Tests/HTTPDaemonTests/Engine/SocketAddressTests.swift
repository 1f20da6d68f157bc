import Glibc
import Testing

@testable import HTTPDaemon

@Suite("The address of a socket")
struct SocketAddressTests {
    @Test(
        "is numeric, of either family, and is printed in its shortest form",
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("::1", "::1"), ("::", "::"),
            ("2001:DB8:0:0:0:0:0:5", "2001:db8::5"),
            ("2001:db8:1111:2222:3333:4444:5555:6666", "2001:db8:1111:2222:3333:4444:5555:6666"),
        ])
    func numeric(text: String, host: String) throws {
        let address = try #require(SocketAddress(text, port: 8090))
        #expect(address.host == host)
        #expect(address.port == 8090)
        #expect(address.family == (host.contains(":") ? AF_INET6 : AF_INET))
    }

    @Test(
        "is no name and no part of an address",
        arguments: ["", "localhost", "127.0.0", "127.0.0.256", "[::1]", "::1%lo", "127.0.0.1:80", " ::1"])
    func invalid(text: String) { #expect(SocketAddress(text, port: 80) == nil) }

    @Test("is known of a socket that is bound, with the port that the system picked")
    func local() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        let status = try #require(SocketAddress("127.0.0.1", port: 0)).bind(descriptor)
        #expect(status == 0)
        let address = try #require(SocketAddress(localOf: descriptor))
        #expect(address.family == AF_INET)
        #expect(address.host == "127.0.0.1")
        #expect(address.port > 0)
    }

    @Test("is not known of a descriptor that is no socket")
    func noSocket() throws {
        #expect(SocketAddress(localOf: -1) == nil)
        let folder = try TemporaryFolder()
        let descriptor = unsafe open(try folder.write([]), O_RDONLY)
        defer { close(descriptor) }
        #expect(SocketAddress(localOf: descriptor) == nil)
    }
}
