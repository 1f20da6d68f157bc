import SystemPackage
import TestSupport
import Testing

@testable import Licensing
@testable import StoreFiles
@testable import StoreModel

@Suite("The certificate of a key provider")
struct CertificateFolderTests {
    private struct Provider: KeyProvider {
        let name = "provider"
        var certificateSource: String?
        var bytes: [UInt8]?

        func answers(for request: ContentKeyRequest) -> Bool { true }

        func key(
            for request: ContentKeyRequest, certificate: [UInt8]?
        ) async throws(StoreError) -> ProvidedKey { ProvidedKey([]) }

        func certificate() async throws(StoreError) -> [UInt8]? { bytes }
    }

    private let folder: TemporaryDirectory
    private let certificates: CertificateFolder

    init() throws {
        folder = try TemporaryDirectory()
        certificates = CertificateFolder(path: FilePath(folder.file("certificates")))
    }

    @Test("is none without a source or without bytes, and no file is made for it")
    func none() async throws {
        let providers = [
            Provider(certificateSource: nil, bytes: [1]), Provider(certificateSource: "a", bytes: nil),
        ]
        for provider in providers {
            #expect(try await certificates.certificate(of: provider) == nil)
            #expect(try await certificates.refresh(provider) == nil)
        }
        #expect(FileSystem.isAbsent(certificates.path))
    }

    @Test("is kept for each source, and asked for again only on demand")
    func kept() async throws {
        let first = Provider(certificateSource: "a", bytes: [1])
        let changed = Provider(certificateSource: "a", bytes: [2])
        let other = Provider(certificateSource: "b", bytes: [3])
        #expect(try await certificates.certificate(of: first) == [1])
        #expect(try await certificates.certificate(of: changed) == [1])
        #expect(try await certificates.certificate(of: other) == [3])
        #expect(try await certificates.refresh(changed) == [2])
        #expect(try await certificates.certificate(of: first) == [2])
        // A certificate that can't be had any more stays.
        let gone = Provider(certificateSource: "a", bytes: nil)
        #expect(try await certificates.refresh(gone) == nil)
        #expect(try await certificates.certificate(of: gone) == [2])
    }
}
