import Testing

@testable import StoreModel

@Suite("A unit to be fetched")
struct UnitJobTests {
    private func job(
        _ kind: UnitKind = .segment, number: Int = 7, start: Double = 0, position: Int = 0,
        _ change: (inout UnitJob) -> Void = { _ in }
    ) -> UnitJob {
        let rendition = Rows.rendition { $0.position = position }
        let unit = UnitRecord(kind: kind, number: number, start: start, duration: 4, url: "u")
        var job = UnitJob(unit: unit, rendition: rendition)
        change(&job)
        return job
    }

    @Test("has a file by its number, and a hidden one in which it grows")
    func files() {
        #expect(job().fileName == "7.ts" && job().partName == ".7.ts.part")
        #expect(job(.initialization, number: 1).fileName == "init-1.mp4")
        #expect(job().id == UnitID(rendition: "v", kind: .segment, number: 7))
    }

    @Test("is replaced by an empty text when it is a plain WebVTT segment of subtitles, and only then")
    func blank() {
        func blank(_ change: (inout UnitJob) -> Void = { _ in }) -> [UInt8]? {
            var text = job { ($0.rendition.kind, $0.rendition.container) = (.subtitles, .vtt) }
            change(&text)
            return text.blank
        }
        #expect(blank() == Array("WEBVTT\n\n".utf8))
        #expect(blank { $0.rendition.kind = .audio } == nil)
        #expect(blank { $0.rendition.container = .m4s } == nil)
        #expect(blank { $0.unit.kind = .initialization } == nil)
        #expect(blank { $0.unit.encryption = .blocks } == nil)
        #expect(job().blank == nil)
    }

    @Test("may end inside a box when it is the byte range of an I-frame")
    func boxes() {
        let range = ClosedOffsetRange(offset: 0, length: 9)
        let picture = job { ($0.rendition.kind, $0.unit.range) = (.iframe, range) }
        #expect(picture.mayEndInBox)
        // A whole segment, an initialization section, and the byte range of a variant.
        #expect(!job { $0.rendition.kind = .iframe }.mayEndInBox)
        #expect(!job(.initialization) { ($0.rendition.kind, $0.unit.range) = (.iframe, range) }.mayEndInBox)
        #expect(!job { $0.unit.range = range }.mayEndInBox)
    }

    @Test("comes after the initialization sections, then by its time, its rendition and its number")
    func order() {
        // In the order in which they are fetched.
        let jobs = [
            job(.initialization, number: 9, start: 0, position: 1),
            job(.initialization, number: 1, start: 20, position: 0),
            job(number: 5, start: 4, position: 0), job(number: 6, start: 4, position: 0),
            job(number: 2, start: 4, position: 1), job(number: 1, start: 8, position: 0),
        ]
        for (left, one) in jobs.enumerated() {
            for (right, other) in jobs.enumerated() {
                #expect(UnitJob.isBefore(one, other) == (left < right), "\(left) and \(right)")
            }
        }
    }

    @Test("is in a bucket when it is stored and has an object there, and encrypted by any method")
    func row() {
        func unit(_ state: UnitState, object: String?) -> UnitRecord {
            UnitRecord(
                kind: .segment, number: 1, start: 0, duration: 4, url: "u", state: state, object: object)
        }
        #expect(unit(.stored, object: "o").isInBucket)
        #expect(!unit(.stored, object: nil).isInBucket && !unit(.missing, object: "o").isInBucket)
        #expect(!unit(.missing, object: nil).isInBucket)
        let methods: [(UnitEncryption, Bool)] = [(.none, false), (.blocks, true), (.other, true)]
        for (encryption, isEncrypted) in methods {
            var encrypted = unit(.stored, object: nil)
            encrypted.encryption = encryption
            #expect(encrypted.isEncrypted == isEncrypted, "\(encryption)")
        }
    }
}
