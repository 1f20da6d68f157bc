import Testing

@testable import Transfers

@Suite("A transfer without a loop")
struct UnstartedTransferTests {
    @Test("may connect to public addresses alone, until it is given leave for others")
    func leave() throws {
        let transfer = try Transfer.unstarted()
        let loopback: [UInt8] = [2, 0, 0, 80, 127, 0, 0, 1]
        let global: [UInt8] = [2, 0, 0, 80, 93, 184, 216, 34]
        #expect(transfer.allowsConnection(to: global) && transfer.failure == nil)
        #expect(!transfer.allowsConnection(to: loopback))
        #expect(transfer.failure?.code == .addressRefused)
        #expect(!transfer.allowsRequest(on: "10.0.0.1", port: 80))
        #expect(transfer.allowsRequest(on: "93.184.216.34", port: 80))
        #expect(!transfer.allowsRequest(on: "media.example", port: 80))
        transfer.policy = AddressPolicy(allowsPrivateAddresses: true, refusedLocalPorts: [8080])
        #expect(transfer.allowsConnection(to: loopback) && transfer.allowsRequest(on: "10.0.0.1", port: 8080))
        #expect(!transfer.allowsRequest(on: "127.0.0.1", port: 8080))
    }

    @Test("may not connect to what is no address of a network")
    func otherFamilies() throws {
        let transfer = try Transfer.unstarted()
        transfer.policy = AddressPolicy(allowsPrivateAddresses: true, refusedLocalPorts: [])
        #expect(transfer.allowsConnection(to: [2, 0, 0, 80, 127, 0, 0, 1]))
        #expect(!transfer.allowsConnection(to: [1, 0, 0, 80, 127, 0, 0, 1]))
        #expect(!transfer.allowsConnection(to: [2, 0, 0, 80]))
    }

    @Test("connects to any proxy, and asks it for no private address without leave")
    func proxied() throws {
        func isAsked(for url: String, proxy: String?) throws -> Bool {
            var request = TransferRequest(url: url)
            request.proxy = proxy
            let transfer = try Transfer.unstarted(request)
            #expect(transfer.allowsConnection(to: [2, 0, 0, 80, 10, 0, 0, 1]) == (proxy != nil))
            return transfer.allowsProxiedHost
        }
        #expect(try isAsked(for: "http://10.0.0.1/a.ts", proxy: "http://10.0.0.1:3128") == false)
        #expect(try isAsked(for: "http://93.184.216.34/a.ts", proxy: "http://10.0.0.1:3128"))
        #expect(try isAsked(for: "http://media.example/a.ts", proxy: "http://10.0.0.1:3128"))
        #expect(try isAsked(for: "http://10.0.0.1/a.ts", proxy: nil))
    }

    @Test("forgets the refusal of one address when another one has answered")
    func answered() throws {
        let transfer = try Transfer.unstarted()
        #expect(!transfer.allowsConnection(to: [2, 0, 0, 80, 127, 0, 0, 1]))
        #expect(transfer.takes(head: "HTTP/1.1 200 OK"))
        #expect(transfer.failure == nil && transfer.response?.status == 200)
    }

    @Test(
        "passes over an interim head, and ends with one that has no status", arguments: ["100", "103", "199"])
    func heads(interim: String) throws {
        let sink = RecordingSink()
        let transfer = try Transfer.unstarted(into: sink)
        #expect(transfer.takes(head: "HTTP/1.1 \(interim) Wait") && transfer.response == nil)
        #expect(!transfer.takes(head: "HTTP/1.1 none"))
        #expect(transfer.failure?.code == .invalidResponse && sink.responses.isEmpty)
    }

    @Test(
        "ends with the head of a redirect that is not followed",
        arguments: [
            ("ftp://media.example/a", 5, .redirectRefused), ("/b.ts", 0, .tooManyRedirects(limit: 0)),
            ("/b.ts", 1, nil),
        ] as [(String, Int, TransferError.Code?)])
    func redirects(location: String, most: Int, code: TransferError.Code?) throws {
        var request = TransferRequest(url: "http://media.example/a.ts")
        request.maximumRedirects = most
        let sink = RecordingSink()
        let transfer = try Transfer.unstarted(request, into: sink)
        let goesOn = transfer.takes(head: "HTTP/1.1 302 Found\r\nLocation: \(location)")
        #expect(goesOn == (code == nil) && transfer.failure?.code == code)
        #expect((transfer.redirect != nil) == (code == nil) && sink.responses.isEmpty)
    }

    @Test("that is passed on has a redirect and any part as its answer")
    func passedOn() throws {
        let heads = [
            "302 Found\r\nLocation: /b.ts", "302 Found\r\nLocation: ftp://media.example/a",
            "206 Part\r\nContent-Range: bytes 5-9/20",
            "206 Part\r\nContent-Range: bytes 4-5/8\r\nContent-Length: 4", "206 Part",
        ]
        for head in heads {
            var request = TransferRequest(url: "http://media.example/a.ts")
            request.range = TransferRange(offset: 4, length: 2)
            let refused = try Transfer.unstarted(request)
            let isTaken = refused.takes(head: "HTTP/1.1 \(head)") && refused.redirect == nil
            #expect(!isTaken, "\(head)")
            request.isPassedOn = true
            let sink = RecordingSink()
            let transfer = try Transfer.unstarted(request, into: sink)
            #expect(transfer.takes(head: "HTTP/1.1 \(head)") && transfer.redirect == nil, "\(head)")
            #expect(sink.responses.count == 1, "\(head)")
        }
    }

    @Test("reads 64 KiB of a redirect's body, and hands none of it on")
    func redirectBody() throws {
        let sink = RecordingSink()
        let transfer = try Transfer.unstarted(into: sink)
        #expect(transfer.takes(head: "HTTP/1.1 302 Found\r\nLocation: /b.ts"))
        #expect(transfer.take(body: [UInt8](repeating: 1, count: 64 << 10)) == .taken)
        #expect(transfer.take(body: [1]) == .failed)
        #expect(sink.bytes.isEmpty && transfer.failure == nil && transfer.bytesReceived == 0)
        let redirect = try #require(transfer.redirect)
        transfer.follow(redirect)
        #expect(transfer.url.text == "http://media.example/b.ts" && transfer.hops == 1)
        #expect(transfer.visited == ["http://media.example/b.ts"] && transfer.response == nil)
        #expect(transfer.takes(head: "HTTP/1.1 200 OK") && transfer.take(body: [2]) == .taken)
        #expect(sink.bytes == [2])
    }

    @Test("takes as many bytes as its largest body may have, and ends with the next one")
    func largest() throws {
        var request = TransferRequest(url: "http://media.example/a.ts")
        request.maximumBodyBytes = 10
        let sink = RecordingSink()
        let transfer = try Transfer.unstarted(request, into: sink)
        #expect(transfer.takes(head: "HTTP/1.1 200 OK"))
        #expect(transfer.take(body: [UInt8](repeating: 1, count: 9)) == .taken)
        #expect(transfer.take(body: [2]) == .taken)
        #expect(transfer.take(body: [3]) == .failed)
        #expect(transfer.failure?.code == .tooLarge(limit: 10) && sink.bytes.count == 10)
    }

    @Test("may announce as many bytes as its largest body may have, and no more")
    func announced() throws {
        for (length, code) in [(10, nil), (11, .tooLarge(limit: 10))] as [(Int, TransferError.Code?)] {
            var request = TransferRequest(url: "http://media.example/a.ts")
            request.maximumBodyBytes = 10
            let transfer = try Transfer.unstarted(request)
            let goesOn = transfer.takes(head: "HTTP/1.1 200 OK\r\nContent-Length: \(length)")
            #expect(goesOn == (code == nil) && transfer.failure?.code == code)
        }
    }

    @Test(
        "ends with a status of 400 or more, if the request asks for that",
        arguments: [(399, false), (400, true), (401, true), (599, true)])
    func statuses(status: Int, isError: Bool) throws {
        let head = "HTTP/1.1 \(status) Status"
        #expect(try Transfer.unstarted().takes(head: head))
        var request = TransferRequest(url: "http://media.example/a.ts")
        request.failsOnHTTPError = true
        let transfer = try Transfer.unstarted(request)
        let code: TransferError.Code? = isError ? .http(status: status) : nil
        #expect(transfer.takes(head: head) == !isError)
        #expect(transfer.failure?.code == code)
    }

    @Test("may have any coding when it asks for a head alone, and else one that can be decoded")
    func codings() throws {
        var request = TransferRequest(url: "http://media.example/a.ts")
        for (method, code) in [(.head, nil), (.get, .contentEncoding)]
            as [(TransferRequest.Method, TransferError.Code?)]
        {
            request.method = method
            let transfer = try Transfer.unstarted(request)
            let goesOn = transfer.takes(head: "HTTP/1.1 200 OK\r\nContent-Encoding: br")
            #expect(goesOn == (code == nil) && transfer.failure?.code == code)
        }
    }

    @Test("waits with its body while its control is paused, unless the body is decoded")
    func held() throws {
        var request = TransferRequest(url: "http://media.example/a.ts")
        let control = TransferControl()
        request.control = control
        control.isPaused = true
        let plain = try Transfer.unstarted(request)
        #expect(plain.takes(head: "HTTP/1.1 200 OK") && plain.take(body: [1]) == .paused)
        control.isPaused = false
        #expect(plain.take(body: [1]) == .taken && plain.bytesReceived == 1)
        control.isPaused = true
        let decoded = try Transfer.unstarted(request)
        #expect(decoded.takes(head: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip"))
        #expect(decoded.take(body: [1]) == .taken)
    }

    @Test("waits with its body when its rate is reached, unless it is urgent")
    func limited() throws {
        var limits = RateLimits()
        limits.total = 1
        let limiter = RateLimiter(limits)
        var request = TransferRequest(url: "http://media.example/a.ts")
        let control = TransferControl()
        request.control = control
        let transfer = try Transfer.unstarted(request)
        transfer.rateLimiter = limiter
        #expect(transfer.takes(head: "HTTP/1.1 200 OK"))
        #expect(transfer.take(body: [UInt8](repeating: 1, count: 1_000)) == .taken)
        #expect(transfer.take(body: [2]) == .paused && limiter.paused.count == 1)
        control.isUrgent = true
        #expect(transfer.take(body: [2]) == .taken && transfer.bytesReceived == 1_001)
    }

    @Test("takes no body before a head")
    func headless() throws {
        let sink = RecordingSink()
        let transfer = try Transfer.unstarted(into: sink)
        #expect(transfer.take(body: [1]) == .failed && sink.bytes.isEmpty)
        #expect(transfer.failure?.code == .invalidResponse)
    }
}

@Suite("The end of a head")
struct HeadEndTests {
    @Test(
        "is that of an interim response below 200, and of the final one from then on or without a status",
        arguments: [
            ("HTTP/1.1 100 Continue", false), ("HTTP/1.1 199 X", false), ("HTTP/1.1 200 OK", true),
            ("HTTP/2 404", true), ("HTTP/1.1 x", true), ("HTTP/1.1", true), ("hello", true),
        ])
    func ends(line: String, isFinal: Bool) {
        var head = ResponseHead()
        let begins = head.take(Array("\(line)\r\n".utf8)[...])
        let ends = head.take(Array("\r\n".utf8)[...])
        #expect(!begins && ends == isFinal && head.isComplete)
    }
}

@Suite("Leave for an address and a port")
struct AddressLeaveTests {
    @Test(
        "is needed for the networks of this machine, never for the world, and nobody has it for metadata",
        arguments: [
            ("93.184.216.34", 8080, true, true), ("2606:4700::1", 8080, true, true),
            ("127.0.0.1", 80, false, true), ("127.0.0.1", 8080, false, false), ("::1", 8080, false, false),
            ("0.0.0.0", 80, false, true), ("0.0.0.0", 8080, false, false), ("10.0.0.1", 8080, false, true),
            ("fe80::1", 8080, false, true), ("169.254.169.254", 80, false, false),
            ("224.0.0.1", 80, false, false), ("ff02::1", 80, false, false),
        ] as [(String, UInt16, Bool, Bool)])
    func leave(_ text: String, _ port: UInt16, strict: Bool, lenient: Bool) throws {
        let address = try #require(IPAddress(text))
        for (isAllowed, allowsPrivate) in [(strict, false), (lenient, true)] {
            let policy = AddressPolicy(allowsPrivateAddresses: allowsPrivate, refusedLocalPorts: [8080])
            #expect(policy.allows(address, port: port) == isAllowed)
        }
    }
}
