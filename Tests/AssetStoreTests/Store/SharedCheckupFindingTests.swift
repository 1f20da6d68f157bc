import SystemPackage
import Testing

@testable import AssetStore
@testable import StoreCatalog
@testable import StoreModel

@Suite("A finding about a shared store")
struct SharedCheckupFindingTests {
    private func facts(_ change: (inout DatabaseFacts) -> Void) -> DatabaseFacts {
        var facts = DatabaseFacts()
        change(&facts)
        return facts
    }

    @Test(
        "tells how far the clock of the database is from that of this machine, and has a fault from 30 s on",
        arguments: [
            (0, true, "like that of this machine"), (999, true, "like that of this machine"),
            (-999, true, "like that of this machine"), (1000, true, "1 s ahead of that of this machine"),
            (-1000, true, "1 s behind that of this machine"),
            (29_999, true, "29 s ahead of that of this machine"),
            (30_000, false, "30 s ahead of that of this machine; have both set by NTP"),
            (-30_000, false, "30 s behind that of this machine; have both set by NTP"),
        ] as [(Int64, Bool, String)])
    func clocks(_ difference: Int64, _ isFine: Bool, _ text: String) {
        let finding = StoreCheckup.clock(facts { $0.clockDifference = difference })
        #expect(finding.isFine == isFine && finding.check == "clocks")
        let sentence = "that of the database is \(text)"
        #expect(isFine ? finding.detail == sentence : finding.detail.hasPrefix(sentence))
    }

    @Test("names the settings that are off in the database, one or several")
    func durability() {
        func finding(_ names: [String]) -> StoreCheckup.Finding {
            StoreCheckup.durability(facts { $0.unsafeSettings = names })
        }
        #expect(finding([]).isFine && finding([]).check == "durability")
        let (one, two) = (finding(["fsync"]), finding(["synchronous_commit", "fsync"]))
        #expect(!one.isFine && one.detail.hasPrefix("off in the database: fsync; set it to on, "))
        let both = "off in the database: synchronous_commit, fsync; set each to on, "
        #expect(!two.isFine && two.detail.hasPrefix(both))
    }

    @Test("wants tables of this version's format, or none yet")
    func tables() {
        func isFine(_ format: DatabaseFacts.Format) -> Bool {
            StoreCheckup.tables(facts { $0.format = format }).isFine
        }
        #expect(isFine(.none) && isFine(.current))
        #expect(!isFine(.older))
        #expect(!isFine(.newer))
    }

    @Test("names five columns with another collation, and counts the others")
    func collation() {
        func finding(_ count: Int) -> StoreCheckup.Finding {
            StoreCheckup.collation(facts { $0.collated = (0..<count).map { "t\($0).c" } })
        }
        #expect(finding(0).isFine && finding(0).check == "collation")
        let five = "t0.c, t1.c, t2.c, t3.c, t4.c"
        #expect(!finding(1).isFine && finding(1).detail.hasPrefix("t0.c has another collation"))
        #expect(finding(5).detail.hasPrefix("\(five) have another collation"))
        #expect(finding(6).detail.hasPrefix("\(five) and 1 more have another collation"))
        #expect(finding(7).detail.hasPrefix("\(five) and 2 more have another collation"))
    }

    @Test("wants this machine to have the key of the other nodes, if they have one")
    func key() {
        func isFine(_ known: [UInt8]?, _ own: [UInt8]?) -> Bool {
            StoreCheckup.key(facts { $0.key = known }, "/films") { own }.isFine
        }
        #expect(isFine(nil, nil) && isFine(nil, [2]) && isFine([1], [1]))
        #expect(!isFine([1], [2]))
        #expect(!isFine([1], nil))
    }

    private func node(_ name: String, _ role: NodeRecord.Role) -> NodeRecord {
        NodeRecord(
            id: name, url: "http://\(name).example", role: role, since: Timestamp(milliseconds: 0),
            leaseUntil: Timestamp(milliseconds: 1_700_000_000_000))
    }

    @Test("counts the nodes that stand by, and takes one that is about to end for an owner")
    func standby() {
        let one = StoreCheckup.nodes([node("c", .standby), node("a", .active)])
        #expect(one.isFine && one.detail == "http://a.example is active; http://c.example stands by")
        let two = StoreCheckup.nodes([node("a", .active), node("b", .standby), node("c", .standby)])
        let names = "http://b.example, http://c.example"
        #expect(two.isFine && two.detail == "http://a.example is active; \(names) stand by")
        let ending = StoreCheckup.nodes([node("a", .draining)])
        #expect(ending.isFine && ending.detail.hasPrefix("http://a.example is draining; none stands by, "))
    }

    @Test("has a fault if there are only nodes that are gone, and tells when they were heard of")
    func gone() {
        let time = Timestamp(milliseconds: 1_700_000_000_000).rfc3339
        let finding = StoreCheckup.nodes([node("a", .gone)])
        #expect(!finding.isFine && finding.detail.hasPrefix("none is active; "))
        #expect(finding.detail.hasSuffix("; http://a.example was last heard of at \(time)"))
        #expect(!finding.detail.contains("stands by"))
    }
}
