import { createMemorySealer } from '@auction/adapters/memory'
import {
  sampleBidders,
  sampleNewAuction,
  sampleNewBid,
  sampleNewRegister,
  sampleNewSealedAuction,
  samplePurchase,
} from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { directoryIds } from '../../src/ledger/directory.ts'
import type { Store } from '../../src/store/store.ts'
import { createRegisterHistories } from '../../src/use-cases/register-histories.ts'
import { verifyAuction } from '../../src/use-cases/verify-auction.ts'
import { verifyDirectory } from '../../src/use-cases/verify-listed.ts'
import { verifyRegister } from '../../src/use-cases/verify-register.ts'
import { type RegisterId, toRegisterId } from '../../src/values/ids.ts'
import type { Decimal } from '../../src/values/money.ts'
import { unwrap } from '../../src/values/result.ts'
import { createTestService } from '../support/service.ts'

const editor = 'clerk'
const sealer = createMemorySealer()

/** A service with a register of 3 entries, which refuses bidder 3 with the last one. */
async function serve(fields: object = {}) {
  const service = createTestService({ sealer })
  const register = unwrap(await service.createRegister({ register: sampleNewRegister(fields), editor }))
  const set = async (...bidders: readonly object[]) =>
    unwrap(await service.setBidders({ registerId: register.id, bidders: sampleBidders(...bidders), editor }))
  await set({ bidderId: 2, status: 'admitted', limit: 200, paddle: '12' }, { bidderId: 3, status: 'admitted' })
  return { service, store: service.store, register, set, refuse: () => set({ bidderId: 3, status: 'refused' }) }
}

type Path = readonly (string | number)[]

/** A store that returns another member of an entry. */
const withMember = (store: Store, ledgerId: number, sequence: number, path: Path, member: unknown): Store => ({
  ...store,
  async listEntries(id, query) {
    const listed = structuredClone(await store.listEntries(id, query))
    const entry = (id as number) === ledgerId ? listed.find((other) => other.sequence === sequence) : undefined
    const parent = path.slice(0, -1).reduce((value, name) => Object(value)[name], entry as unknown)
    if (parent !== undefined) Object(parent)[path.at(-1) as string] = member
    return listed
  },
})

const refusedWith = (code: string) => ({ recomputed: { refusal: { code } } })
const sidesOf = (recorded: object, recomputed: object) => ({
  recorded: { event: { admission: recorded } },
  recomputed: { event: { admission: recomputed } },
})

const differenceOf = async (store: Store, id: RegisterId) => unwrap(await verifyRegister(store, id)).difference

describe('a register', () => {
  test('is given again, and so is the directory', async () => {
    const { store, register, refuse } = await serve({ title: 'Coins', claims: true, metadata: { room: 'A' } })
    await refuse()
    expect(unwrap(await verifyRegister(store, register.id))).toEqual({ entries: 3, difference: undefined })
    expect(await verifyDirectory(store, 'registers')).toEqual({ entries: 1, difference: undefined })
    const registerId = toRegisterId(99)
    expect(await verifyRegister(store, registerId)).toEqual({
      ok: false,
      refusal: { code: 'register-not-found', registerId },
    })
  })

  test.each<readonly [what: string, sequence: number, path: Path, member: unknown, difference: object]>([
    ['wrong counts', 3, ['state', 'counts', 'refused'], 2, { recomputed: { state: { counts: { refused: 1 } } } }],
    [
      'a wrong earlier status',
      3,
      ['event', 'bidders', 0, 'was'],
      'pending',
      { recorded: { event: { bidders: [{ was: 'pending' }] } } },
    ],
    ['a paddle of another bidder', 3, ['event', 'bidders', 0, 'paddle'], '12', refusedWith('paddle-taken')],
    ['a second creation', 3, ['event'], { type: 'register-created' }, refusedWith('same-bidders')],
    ['another title than its line has', 1, ['event', 'title'], 'Coins', { recorded: { event: { title: 'Coins' } } }],
  ])('with %s is reported', async (_, sequence, path, member, difference) => {
    const { store, register, refuse } = await serve()
    await refuse()
    const damaged = withMember(store, register.id, sequence, path, member)
    expect(await differenceOf(damaged, register.id)).toMatchObject({ sequence, ...difference })
  })

  test('whose ledger is missing is reported', async () => {
    const { store, register } = await serve()
    const without: Store = {
      ...store,
      listEntries: async (id, query) =>
        (id as number) === (register.id as number) ? [] : store.listEntries(id, query),
    }
    expect(await differenceOf(without, register.id)).toEqual({
      sequence: 1,
      recorded: undefined,
      recomputed: { sequence: 1 },
    })
  })

  test('whose line has another time is reported, and a directory with a wrong number of lines', async () => {
    const { store, register } = await serve()
    const damaged = withMember(store, directoryIds.registers, 1, ['event', 'createdAtMs'], 5)
    expect(await differenceOf(damaged, register.id)).toMatchObject({ sequence: 1, recomputed: { atMs: 5 } })
    const miscounted = withMember(store, directoryIds.registers, 1, ['state', 'count'], 2)
    expect((await verifyDirectory(miscounted, 'registers')).difference).toMatchObject({
      recorded: { state: { count: 2 } },
    })
  })
})

describe('bids on an auction with a register', () => {
  /** Bids of bidder 2, of bidder 3, who is refused then, and a purchase of bidder 4 by a claim. */
  async function serveBids() {
    const { service, store, register, refuse, set } = await serve({ claims: true })
    const auction = sampleNewAuction({
      registerId: register.id,
      showPaddles: true,
      buyNowPrice: 900,
      reservePrice: 800,
    })
    const { id: auctionId } = unwrap(await service.createAuction(auction))
    const { id: otherId } = unwrap(await service.createAuction(sampleNewAuction({ registerId: register.id })))
    const bid = (id: typeof auctionId, bidderId: number, amount: number, maximumAmount?: number) =>
      service.placeBid(sampleNewBid({ auctionId: id, bidderId, amount, maximumAmount } as never))
    for (const id of [auctionId, otherId]) {
      unwrap(await bid(id, 3, 100))
      unwrap(await bid(id, 2, 110, 190))
    }
    await refuse()
    const claims = new Map([[register.id, { limit: 1000 as Decimal }]])
    unwrap(await service.buyNow({ auctionId, purchase: samplePurchase(4), claims }))
    return { store, register, auctionId, otherId, set }
  }

  test('are given again, with what servers knew of the register, in any order, and each entry of it is read once', async () => {
    const { store, register, auctionId, otherId, set } = await serveBids()
    await set({ bidderId: 2, status: 'refused' })
    let reads = 0
    const counting: Store = {
      ...store,
      listEntries(id, query) {
        if ((id as number) === (register.id as number)) reads += 1
        return store.listEntries(id, query)
      },
    }
    const registers = createRegisterHistories(counting)
    for (const id of [auctionId, otherId]) {
      const { difference } = unwrap(await verifyAuction(counting, id, sealer, registers))
      expect(difference).toBeUndefined()
    }
    expect(reads).toBe(1)
    // Another server knew an older head when it recorded the second bid.
    const older = withMember(store, otherId, 1, ['event', 'admission', 'registerSequence'], 4)
    const refused = unwrap(await verifyAuction(older, otherId)).difference
    expect(refused).toMatchObject({ sequence: 1, ...refusedWith('not-admitted') })
  })

  const admission = ['event', 'admission']
  test.each<readonly [what: string, sequence: number, path: Path, member: unknown, difference: object]>([
    ['of a bidder who was refused', 1, [...admission, 'registerSequence'], 3, refusedWith('not-admitted')],
    ['of a bidder who was not listed yet', 1, [...admission, 'registerSequence'], 1, refusedWith('not-admitted')],
    ['without an admission', 1, admission, undefined, refusedWith('not-admitted')],
    [
      'by another limit',
      2,
      [...admission, 'limitMinor'],
      99_900,
      sidesOf({ limitMinor: 99_900 }, { limitMinor: 20_000 }),
    ],
    ['above the limit', 2, ['event', 'maximumMinor'], 20_100, refusedWith('above-limit')],
    ['under another paddle', 2, [...admission, 'paddle'], '13', sidesOf({ paddle: '13' }, { paddle: '12' })],
    ['without the paddle', 2, [...admission, 'paddle'], undefined, sidesOf({}, { paddle: '12' })],
    ['by a claim of a listed bidder', 2, [...admission, 'byClaim'], true, sidesOf({ byClaim: true }, {})],
    [
      'at an entry that the register lacks',
      2,
      [...admission, 'registerSequence'],
      9,
      sidesOf({ registerSequence: 9 }, { registerSequence: 3 }),
    ],
    ['by a claim of a refused bidder', 3, ['event', 'buyerId'], 3, refusedWith('not-admitted')],
    ['above the limit of the claim', 3, [...admission, 'limitMinor'], 800_00, refusedWith('above-limit')],
  ])('%s are reported', async (_, sequence, path, member, difference) => {
    const { store, auctionId } = await serveBids()
    const damaged = withMember(store, auctionId, sequence, path, member)
    const verified = unwrap(await verifyAuction(damaged, auctionId))
    expect(verified.difference).toMatchObject({ sequence, ...difference })
  })

  test('by a claim are reported if the register has none, and with a paddle if the auction shows none', async () => {
    const { store, register, auctionId, otherId } = await serveBids()
    const withoutClaims = withMember(store, register.id, 1, ['event', 'claims'], undefined)
    const claimed = unwrap(await verifyAuction(withoutClaims, auctionId)).difference
    expect(claimed).toMatchObject({ sequence: 3, ...refusedWith('not-admitted') })
    const shown = withMember(store, otherId, 2, [...admission, 'paddle'], '12')
    expect(unwrap(await verifyAuction(shown, otherId)).difference).toMatchObject(sidesOf({ paddle: '12' }, {}))
  })

  test('that are sealed are reported above the limit of the register, which they do not have', async () => {
    const { service, store, register } = await serve()
    const auction = sampleNewSealedAuction({ registerId: register.id })
    const { id: auctionId } = unwrap(await service.createAuction(auction))
    unwrap(await service.placeBid(sampleNewBid({ auctionId, bidderId: 2, amount: 200 })))
    expect(unwrap(await verifyAuction(store, auctionId, sealer)).difference).toBeUndefined()
    const lower = withMember(store, register.id, 2, ['event', 'bidders', 0, 'limitMinor'], 199_99)
    const { difference } = unwrap(await verifyAuction(lower, auctionId, sealer))
    expect(difference).toMatchObject({ sequence: 1, ...refusedWith('above-limit') })
  })
})
