import Foundation
import ModelTestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

@Suite("The lease of a store")
struct StoreLeaseTests {
    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test("has one owner until its end, and a larger epoch with each")
    func owners() throws {
        let first = try #require(StoreLease().claimed(by: "one", at: time(0)))
        #expect(first.epoch == 1 && first.claimed(by: "two", at: time(9_999)) == nil)
        let second = try #require(first.claimed(by: "two", at: time(10_000)))
        let (one, two) = (OwningNode(node: "one", epoch: 1), OwningNode(node: "two", epoch: 2))
        #expect(second.admits(two) && !second.admits(one))
        #expect(second.renewed(by: one, at: time(10_001)) == nil && second.released(by: one) == second)
    }

    @Test("that has ended is not renewed, even if no other node has claimed it")
    func ended() throws {
        let lease = try #require(StoreLease().claimed(by: "one", at: time(0)))
        let owner = OwningNode(node: "one", epoch: 1)
        #expect(lease.renewed(by: owner, at: time(9_999))?.until == time(19_999))
        #expect(lease.renewed(by: owner, at: time(10_000)) == nil)
        // What is written until then is fine: nobody else has written.
        #expect(lease.admits(owner))
    }

    @Test("that is given back is free at once")
    func released() throws {
        let lease = try #require(StoreLease().claimed(by: "one", at: time(0)))
        let free = lease.released(by: OwningNode(node: "one", epoch: 1))
        #expect(free.owner == nil && free.claimed(by: "two", at: time(1))?.epoch == 2)
        #expect(!free.admits(OwningNode(node: "one", epoch: 1)))
    }

    /// LEASE_SEEDS=50 tries a million interleavings.
    private static let seeds = UInt64(ProcessInfo.processInfo.environment["LEASE_SEEDS"] ?? "") ?? 5

    @Test(
        "never belongs to two nodes at once, with messages delayed or lost and nodes stopped or slow",
        arguments: 1...seeds)
    func interleavings(seed: UInt64) {
        var random = Chance(seed: seed)
        var total = LeaseModel.Totals()
        for _ in 0..<20_000 {
            var model = LeaseModel(nodes: .random(in: 2...4, using: &random), &random)
            for _ in 0..<40 { model.step(&random) }
            guard model.faults.isEmpty else {
                Issue.record("seed \(seed): \(model.faults)")
                return
            }
            total.add(model.totals)
        }
        // All that could go wrong has been tried.
        #expect(total.commits > 20_000 && total.refused > 1_000 && total.takeovers > 20_000)
        #expect(total.fenced > 1_000 && total.released > 1_000)
    }
}

/// Nodes, a database and messages between them, all of which may be late. Times are real milliseconds; each node has a clock that
/// is up to a tenth too fast or too slow.
private struct LeaseModel {
    struct Totals {
        var (commits, refused, takeovers, fenced, released) = (0, 0, 0, 0, 0)

        mutating func add(_ other: Totals) {
            commits += other.commits
            refused += other.refused
            takeovers += other.takeovers
            fenced += other.fenced
            released += other.released
        }
    }

    private struct Node {
        var name: String
        /// The speed of its own clock.
        var speed: Double
        /// Nothing happens at it before.
        var stoppedUntil: Int64 = 0
        var owner: OwningNode?
        var fence: StoreFence?
    }

    private enum Message {
        case claim(asked: Int64)
        case renew(OwningNode, asked: Int64)
        case release(OwningNode)
        case commit(OwningNode)
        case claimed(OwningNode, asked: Int64)
        case renewed(OwningNode, asked: Int64, Bool)
    }

    private var now: Int64 = 0
    private var lease = StoreLease()
    private var nodes: [Node]
    /// Messages that are on their way, with the node that sent or gets them, and when they arrive.
    private var messages: [(at: Int64, node: Int, message: Message)] = []
    /// The largest epoch in which anything was committed.
    private var lastEpoch: Int64 = 0
    private var ownersByEpoch: [Int64: String] = [:]
    var totals = Totals()
    var faults: [String] = []

    init(nodes count: Int, _ random: inout Chance) {
        nodes = (0..<count).map { Node(name: "\($0)", speed: .random(in: 0.9...1.1, using: &random)) }
    }

    private func clock(_ node: Int) -> Int64 { Int64(Double(now) * nodes[node].speed) }

    private mutating func send(_ message: Message, of node: Int, _ random: inout Chance) {
        // Most come soon; some after their sender was given up.
        let late = Int.random(in: 0..<8, using: &random) == 0
        let delay = Int64.random(in: 0...(late ? 15_000 : 300), using: &random)
        if Int.random(in: 0..<20, using: &random) > 0 { messages.append((now + delay, node, message)) }
    }

    mutating func step(_ random: inout Chance) {
        now += .random(in: 0...1_500, using: &random)
        for message in messages.filter({ $0.at <= now }) { deliver(message.message, message.node, &random) }
        messages.removeAll { $0.at <= now }
        let node = Int.random(in: 0..<nodes.count, using: &random)
        if nodes[node].stoppedUntil <= now { act(node, &random) }
        check()
    }

    private mutating func act(_ node: Int, _ random: inout Chance) {
        if let fence = nodes[node].fence, !fence.isOpen(at: clock(node)) {
            // It ends, and comes back under another name.
            totals.fenced += 1
            nodes[node] = Node(name: "\(nodes[node].name)'", speed: nodes[node].speed)
        }
        switch (Int.random(in: 0..<12, using: &random), nodes[node].owner) {
        case (0, _): nodes[node].stoppedUntil = now + .random(in: 0...30_000, using: &random)
        case (1, let owner?):
            send(.release(owner), of: node, &random)
            (nodes[node].owner, nodes[node].fence) = (nil, nil)
        case (2...6, let owner?): send(.commit(owner), of: node, &random)
        case (_, let owner?): send(.renew(owner, asked: clock(node)), of: node, &random)
        case (_, nil): send(.claim(asked: clock(node)), of: node, &random)
        }
    }

    private mutating func deliver(_ message: Message, _ node: Int, _ random: inout Chance) {
        let time = Timestamp(milliseconds: now)
        switch message {
        case .claim(let asked):
            guard let claimed = lease.claimed(by: nodes[node].name, at: time) else { return }
            lease = claimed
            totals.takeovers += 1
            let owner = OwningNode(node: nodes[node].name, epoch: claimed.epoch)
            send(.claimed(owner, asked: asked), of: node, &random)
        case .renew(let owner, let asked):
            let renewed = lease.renewed(by: owner, at: time)
            lease = renewed ?? lease
            send(.renewed(owner, asked: asked, renewed != nil), of: node, &random)
        case .release(let owner):
            totals.released += lease.admits(owner) ? 1 : 0
            lease = lease.released(by: owner)
        case .commit(let owner): commit(owner)
        case .claimed(let owner, let asked):
            // One that has ended meanwhile does not get the answer.
            guard owner.node == nodes[node].name, nodes[node].owner == nil else { return }
            (nodes[node].owner, nodes[node].fence) = (owner, StoreFence(asked: asked))
        case .renewed(let owner, let asked, let isGranted):
            guard nodes[node].owner == owner, isGranted else { return }
            nodes[node].fence?.renewed(asked: asked)
        }
    }

    private mutating func commit(_ owner: OwningNode) {
        guard lease.admits(owner) else {
            totals.refused += 1
            return
        }
        totals.commits += 1
        if owner.epoch < lastEpoch { faults.append("epoch \(owner.epoch) after \(lastEpoch)") }
        if let other = ownersByEpoch[owner.epoch], other != owner.node {
            faults.append("epoch \(owner.epoch) of \(other) and \(owner.node)")
        }
        ownersByEpoch[owner.epoch] = owner.node
        lastEpoch = owner.epoch
    }

    /// Who may act by its own clock is the only one, and the owner.
    private mutating func check() {
        let acting = nodes.indices.filter { nodes[$0].fence?.isOpen(at: clock($0)) == true }
        if acting.count > 1 { faults.append("\(acting.map { nodes[$0].name }) act at \(now)") }
        for node in acting where nodes[node].owner.map(lease.admits) != true {
            faults.append("\(nodes[node].name) acts at \(now), \(lease) is another's")
        }
    }
}

/// SplitMix64.
private struct Chance: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
