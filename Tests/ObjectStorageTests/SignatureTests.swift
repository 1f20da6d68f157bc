import Testing

@testable import ObjectStorage

/// Amazon's published examples: the test suite of Signature Version 4, and the examples in the manual of S3.
@Suite("A signature")
struct SignatureTests {
    private let suite = SignatureV4(
        credentials: S3Credentials(
            accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1", service: "service")
    private let manual = SignatureV4(
        credentials: S3Credentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1")

    private func signature(
        _ method: String, _ path: String = "/", query: [(name: String, value: String)] = [],
        fields: [(name: String, value: String)] = []
    ) -> String {
        let request = SignatureV4.Request(
            method: method, path: path, query: query,
            fields: [("Host", "example.amazonaws.com"), ("X-Amz-Date", "20150830T123600Z")] + fields)
        let value = suite.authorization(request, at: SigningDate(seconds: 1_440_938_160))
        return String(value.suffix(64))
    }

    @Test("is that of Amazon's test suite")
    func vectors() {
        #expect(signature("GET") == "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")
        #expect(signature("POST") == "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b")
        #expect(
            signature("GET", SignatureV4.path("/\u{1234}"))
                == "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85")
        let unreserved = "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        #expect(
            signature("GET", SignatureV4.path(unreserved))
                == "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f")
    }

    @Test("takes the query in the order of its bytes")
    func queries() {
        #expect(
            signature("GET", query: [("Param2", "value2"), ("Param1", "value1")])
                == "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500")
        #expect(
            signature("GET", query: [("Param1", "value2"), ("Param1", "Value1")])
                == "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1")
    }

    @Test("takes fields in the order of their names, without needless blanks")
    func fields() {
        #expect(
            signature("GET", fields: [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")])
                == "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736")
        #expect(
            signature("POST", fields: [("My-Header1", "value1")])
                == "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c")
    }

    private func signature(
        ofManual method: String, _ path: String, query: [(name: String, value: String)] = [],
        fields: [(name: String, value: String)] = [], payloadHash: String = SignatureV4.emptyHash
    ) -> String {
        let own = [
            ("host", "examplebucket.s3.amazonaws.com"), ("x-amz-content-sha256", payloadHash),
            ("x-amz-date", "20130524T000000Z"),
        ].map { (name: $0.0, value: $0.1) }
        let request = SignatureV4.Request(
            method: method, path: path, query: query, fields: own + fields, payloadHash: payloadHash)
        return String(manual.authorization(request, at: SigningDate(seconds: 1_369_353_600)).suffix(64))
    }

    @Test("is that of the examples in the manual of S3")
    func manualExamples() {
        #expect(
            signature(ofManual: "GET", "/test.txt", fields: [("Range", "bytes=0-9")])
                == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
        #expect(
            signature(
                ofManual: "PUT", SignatureV4.path("/test$file.text"),
                fields: [
                    ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
                ],
                payloadHash: SignatureV4.hash(Array("Welcome to Amazon S3.".utf8)))
                == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
        #expect(
            signature(ofManual: "GET", "/", query: [("lifecycle", "")])
                == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
        #expect(
            signature(ofManual: "GET", "/", query: [("max-keys", "2"), ("prefix", "J")])
                == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test("names the key, its scope and the signed fields")
    func form() {
        let request = SignatureV4.Request(
            method: "GET", path: "/", fields: [("host", "h"), ("x-amz-date", "d")])
        let value = suite.authorization(request, at: SigningDate(seconds: 1_440_938_160))
        #expect(
            value.hasPrefix(
                "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,"
                    + "SignedHeaders=host;x-amz-date,Signature="))
    }

    @Test(
        "has the date of the calendar",
        arguments: [
            (0, "19700101T000000Z"), (951_782_400, "20000229T000000Z"), (951_868_799, "20000229T235959Z"),
            (1_709_164_800, "20240229T000000Z"), (4_102_444_799, "20991231T235959Z"),
        ])
    func dates(_ seconds: Int64, _ text: String) { #expect(SigningDate(seconds: seconds).text == text) }
}
