import type { Claim } from '@auction/domain'
import type { NewAuction } from '@auction/domain/auction'
import { ledgerIdOf, toEntryId, toRegisterId, toUserId } from '@auction/domain/ids'
import type { AmountMinor } from '@auction/domain/money'
import { toAmountMinor, toPositiveDecimal } from '@auction/domain/money'
import type { AuctionEntry, DirectoryEntry, RegisterEntry, RegisterListed } from '@auction/domain/store'
import type { Attempt, History } from '../src/history.ts'
import { sampleKey, sampleNewRegister } from '../src/samples.ts'
import { testBroken, testKept } from './formats/histories.ts'
import { afterStart, auction, bid, bidding, creation, refused, startMs, terms } from './sample-history.ts'

const registerId = toRegisterId(7)
const atMs = startMs - 1_000
const register = sampleNewRegister({ claims: true })
const ids = { auctionId: ledgerIdOf(registerId), kind: 'register', atMs } as const

const line: DirectoryEntry<RegisterListed> = {
  ...{ id: toEntryId(101), auctionId: ledgerIdOf(toRegisterId(Number.MAX_SAFE_INTEGER)), kind: 'directory' },
  ...{ sequence: 1, atMs, state: { count: 1, atMs } },
  event: { type: 'register-listed', id: registerId, createdAtMs: atMs, fields: register, editor: 'staff' },
}
const created: RegisterEntry = {
  ...{ ...ids, id: toEntryId(102), sequence: 1 },
  event: { type: 'register-created', ...register, editor: 'staff' },
  state: { counts: { admitted: 0, pending: 0, refused: 0 }, atMs },
}

type Listed = Extract<RegisterEntry['event'], { readonly type: 'bidders-set' }>['bidders'][number]
const two: Listed = { bidderId: toUserId(2), status: 'admitted', limitMinor: toAmountMinor(120_00), paddle: 'A' }
const refusal: Listed = { bidderId: toUserId(2), status: 'refused', was: 'admitted' }

/** The entry that sets one bidder. */
const set = (sequence: number, bidder: Listed, counts = {}, setAtMs = atMs): RegisterEntry => ({
  ...{ ...ids, atMs: setAtMs, id: toEntryId(101 + sequence), sequence },
  event: { type: 'bidders-set', bidders: [bidder], editor: 'staff' },
  state: { counts: { admitted: 1, pending: 0, refused: 0, ...counts }, atMs: setAtMs },
})
const admitting = set(2, two)
const keyed = (entry: RegisterEntry): RegisterEntry => ({ ...entry, requestKey: sampleKey('k') })
const refusing = (setAtMs: number) => set(3, refusal, { admitted: 0, refused: 1 }, setAtMs)

const during = (sentAtMs: number) => ({ sentAtMs, respondedAtMs: sentAtMs + 5 })
const registering: Attempt = {
  ...{ type: 'create-register', register: { ...register, editor: 'staff' }, ...during(atMs) },
  response: { outcome: 'accepted', register: { ...register, id: registerId, createdAtMs: atMs } },
}
type Response = Extract<Attempt, { readonly type: 'set-bidders' }>['response']
function setting({ was: _, ...bidder }: Listed, sentAtMs: number, response?: Response, more: object = {}): Attempt {
  const { limitMinor, ...shown } = bidder
  const sent = limitMinor === undefined ? shown : { ...shown, limit: toPositiveDecimal(limitMinor / 100) }
  return {
    ...{ type: 'set-bidders', ...during(sentAtMs) },
    change: { registerId, editor: 'staff', bidders: [sent], ...more },
    response: response ?? { outcome: 'accepted', bidders: [bidder] },
  }
}

type Admission = { readonly registerSequence: number; readonly limitMinor?: AmountMinor; readonly paddle?: string }
const admission: Admission = { registerSequence: 2, limitMinor: toAmountMinor(120_00) }

/** The bid 1 of user 2, as the second stored version has it. */
function registeredBid(admitted: object | undefined = admission): AuctionEntry {
  const entry = bid(1)
  const event = admitted === undefined ? entry.event : { ...entry.event, admission: admitted as Admission }
  return { ...entry, event, state: { ...entry.state, version: 2 } }
}

const registered = { registerId, registerAdmits: 'listed' } as const
const admittedAuction = { ...auction, ...registered }
const creationSpan = [auction.createdAtMs - 1, auction.createdAtMs + 1] as const
const creating = creation(
  creationSpan,
  { outcome: 'accepted', auction: admittedAuction },
  { auction: { ...terms, registerId } },
)
const offered = { offeredTo: toUserId(2) }
const offer: NewAuction = { ...terms, ...offered }

/** A register that admits user 2, who bids. */
const history: History = {
  auctions: [admittedAuction],
  attempts: [registering, setting(two, atMs + 10), creating, bidding(bid(1))],
  ledger: [registeredBid()],
  registers: [line, created, admitting],
  ...{ clockErrorMs: 100, marginMs: 2_000 },
}
const and = (...attempts: readonly Attempt[]): History => ({
  ...history,
  attempts: [...history.attempts, ...attempts],
})
const refusedAt = (sentAtMs: number, response?: Response): History => ({
  ...and(setting(refusal, sentAtMs, response)),
  registers: [line, created, admitting, refusing(sentAtMs)],
})
const withBid = (entry: AuctionEntry): History => ({ ...history, ledger: [entry] })
const withRegisters = (...registers: NonNullable<History['registers']>): History => ({ ...history, registers })

const other = bid(4, { amountMinor: 130_00 })
const refusing130 = (response: ReturnType<typeof refused>, claims: Readonly<Record<string, Claim>> = {}): Attempt => ({
  ...(bidding(other, afterStart(40), response) as Extract<Attempt, { readonly type: 'place-bid' }>),
  claims,
})
const notAdmitted = (registration?: 'none' | 'refused') => refused('not-admitted', { registration })

testKept({
  'a register admits a bidder': history,
  'bidders are set again as they are': and(setting(two, atMs + 20)),
  'a change with a key changes nothing': {
    ...and({ ...setting(two, startMs + 900), key: 'k' } as Attempt),
    registers: [line, created, admitting, keyed(set(3, { ...two, was: 'admitted' }, {}, startMs + 900))],
  },
  'a bidder is refused while the bid is in flight': refusedAt(startMs + 9),
  'a bidder was refused before their next bid': {
    ...refusedAt(startMs + 20),
    attempts: [...refusedAt(startMs + 20).attempts, refusing130(notAdmitted('refused'))],
  },
  'a bid is above the limit': and(refusing130(refused('above-limit', { limitMinor: 120_00 }))),
  'a paddle is that of another bidder': and(
    setting({ bidderId: toUserId(3), status: 'admitted', paddle: 'A' }, atMs + 20, refused('paddle-taken')),
  ),
  'an offer is to another user': {
    ...{ ...history, auctions: [{ ...auction, ...offered }], ledger: [] },
    attempts: [
      creation(creationSpan, { outcome: 'accepted', auction: { ...auction, ...offered } }, { auction: offer }),
      bidding(bid(4, { bidderId: 3 }), afterStart(40), refused('not-admitted')),
      ...history.attempts.slice(0, 2),
    ],
  },
})

testBroken(9, /although a client knew of entry 3 before its request/, {
  'a bid follows a refusal that a client has received': refusedAt(startMs - 20),
})

testBroken(9, /who is refused at entry 3 of register 7$/, {
  'a bid is that of a refused bidder': {
    ...refusedAt(startMs - 20),
    ledger: [registeredBid({ registerSequence: 3 })],
  },
})

testBroken(9, /has the admission/, {
  'a bid shows a paddle': withBid(registeredBid({ ...admission, paddle: 'A' })),
  'a bid has another limit': withBid(registeredBid({ ...admission, limitMinor: 500_00 })),
  'a bid claims what its token does not': withBid(registeredBid({ ...admission, byClaim: true })),
})

testBroken(
  9,
  /has no admission|is not stored|which was sent after its response|but its auction no register|instead of/,
  {
    'a bid has no admission': withBid({ ...registeredBid(), event: bid(1).event }),
    'a bid is admitted by an entry that is not stored': withBid(registeredBid({ registerSequence: 4 })),
    'a bid is admitted by a later change': {
      ...refusedAt(startMs + 900),
      ledger: [registeredBid({ registerSequence: 3 })],
    },
    'a bid without a register has an admission': { ...history, auctions: [auction] },
    'an auction has another default than its register': {
      ...history,
      auctions: [{ ...admittedAuction, registerAdmits: 'everyone' }],
    },
  },
)

testBroken(
  9,
  /sequence|changes nothing|as refused before it|the state|the register is|the previous|no client expected/,
  {
    'a register has a gap': withRegisters(line, created, { ...admitting, sequence: 3 }),
    'a change changes nothing': withRegisters(line, created, admitting, set(3, { ...two, was: 'admitted' })),
    'a change is wrong about a status': withRegisters(line, created, set(2, { ...two, was: 'refused' })),
    'a register counts wrongly': withRegisters(line, created, set(2, two, { admitted: 2 })),
    'a register lacks its first entry': withRegisters(line, admitting),
    'a register goes back in time': withRegisters(line, created, { ...admitting, atMs: atMs - 1 }),
    'a change follows what its client did not expect': {
      ...history,
      attempts: history.attempts.with(1, setting(two, atMs + 10, undefined, { expected: 'refused' })),
    },
  },
)

testBroken(1, /never listed|without a request for it|was to list|register 7|no entry of the change/, {
  'an accepted change with a key is not recorded': and({ ...setting(two, atMs + 20), key: 'k' } as Attempt),
  'an accepted change is not stored': and(setting(refusal, startMs + 20)),
  'a change has no request': { ...history, registers: [line, created, admitting, refusing(startMs)] },
  'an accepted change shows another bidder': and(setting(two, atMs + 20, { outcome: 'accepted', bidders: [refusal] })),
  'an accepted register is not listed': { ...history, registers: [] },
})

testBroken(4, /was never true/, {
  'an admitted bidder is not admitted': and(refusing130(notAdmitted())),
  'a bidder is not admitted for another reason': and(refusing130(notAdmitted('refused'))),
  'a refusal names another limit': and(refusing130(refused('above-limit', { limitMinor: 100_00 }))),
  'a bid within the limit is above it': and(bidding(bid(1), afterStart(40), refused('above-limit'))),
  'a free paddle is taken': and(setting({ ...two, paddle: 'B' }, atMs + 20, refused('paddle-taken'))),
  'a known register is not found': and(setting(two, atMs + 20, refused('register-not-found'))),
  'a register has room for a bidder': and(setting(two, atMs + 20, refused('too-many-bidders'))),
})
