import { DatabaseSync } from 'node:sqlite'
import type { AuctionService } from '@auction/domain'
import { toAuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import {
  sampleBidders,
  sampleCorrection,
  sampleLots,
  sampleNewAuction,
  sampleNewBid,
  sampleNewRegister,
  sampleNewSale,
} from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { clientOf, runningNow } from './support/client.ts'
import { runnerOf } from './support/command.ts'
import { folderOf, sqliteFileIn } from './support/filled-store.ts'
import { startServerProcess } from './support/server-process.ts'
import { secret as JWT_SECRET } from './support/tokens.ts'

const verify = runnerOf('--verify')

/** Stores auctions with the ids 1, 2, 3 …, each with a correction and two bids. */
async function fill(service: AuctionService, auctions: number): Promise<void> {
  for (let id = 1; id <= auctions; id++) {
    unwrap(await service.createAuction(sampleNewAuction({ reservePrice: 150 })))
    const auctionId = toAuctionId(id)
    unwrap(await service.correctAuction({ auctionId, correction: sampleCorrection(), editor: 'staff' }))
    unwrap(await service.placeBid(sampleNewBid({ auctionId, maximumAmount: 130 })))
    unwrap(await service.placeBid(sampleNewBid({ auctionId, bidderId: 3, amount: 120 })))
  }
}

type Stored = { readonly auctions: number; readonly damaged?: readonly number[] }

/** A folder with a SQLite file of auctions, in some of which the automatic bid is changed to one of 126. */
async function folderWith({ auctions, damaged = [] }: Stored) {
  const folder = await folderOf((service) => fill(service, auctions))
  const database = new DatabaseSync(sqliteFileIn(folder))
  const damage = database.prepare(
    `UPDATE entries SET data = json_replace(data, '$.event.automatic.amountMinor', 12600) WHERE auctionId = ? AND sequence = 3`,
  )
  for (const id of damaged) expect(damage.run(id).changes).toBe(1)
  database.close()
  return folder
}

const differenceOf = (id: number): string => `Auction ${id} differs at entry 3:
  recorded:     {"event":{"automatic":{"amountMinor":12600}}}
  this version: {"event":{"automatic":{"amountMinor":12500}}}
`

test('--verify verifies all auctions while a server runs', async () => {
  const folder = await folderWith({ auctions: 2 })
  const server = await startServerProcess({ JWT_SECRET }, { folder })
  const { data } = (await clientOf(server).createAuction(runningNow())).body
  await clientOf(server).placeBid({ auctionId: data.id })
  expect(await verify([], { folder })).toEqual({ code: 0, stdout: 'Verified 3 auctions with 7 entries.\n', stderr: '' })
})

test('--verify prints the first difference of each auction with both sides, newest first, and fails', async () => {
  const folder = await folderWith({ auctions: 3, damaged: [1, 3] })
  expect(await verify([], { folder })).toEqual({
    code: 1,
    stdout: `${differenceOf(3)}${differenceOf(1)}Verified 3 auctions with 7 entries.\n`,
    stderr: '2 auctions failed\n',
  })
  expect(await verify(['2,3', '9'], { folder })).toEqual({
    code: 1,
    stdout: `${differenceOf(3)}Auction 9 does not exist.\nVerified 2 auctions with 5 entries.\n`,
    stderr: '2 auctions failed\n',
  })
})

test('--verify verifies all registers first, and the bids that they admitted', async () => {
  const folder = await folderOf(async (service) => {
    const editor = 'staff'
    for (let count = 0; count < 2; count++) {
      const { id: registerId } = unwrap(await service.createRegister({ register: sampleNewRegister(), editor }))
      const bidders = sampleBidders({ bidderId: 2, status: 'admitted', limit: 120 })
      unwrap(await service.setBidders({ registerId, bidders, editor }))
      const { id: auctionId } = unwrap(await service.createAuction(sampleNewAuction({ registerId })))
      unwrap(await service.placeBid(sampleNewBid({ auctionId })))
    }
  })
  const right = {
    code: 0,
    stdout: 'Verified 2 registers with 4 entries.\nVerified 2 auctions with 2 entries.\n',
    stderr: '',
  }
  expect(await verify([], { folder })).toEqual(right)
  const database = new DatabaseSync(sqliteFileIn(folder))
  database.exec(
    `UPDATE entries SET data = json_replace(data, '$.event.bidders[0].limitMinor', 11000) WHERE auctionId = 1 AND sequence = 2`,
  )
  database.exec(
    `UPDATE entries SET data = json_replace(data, '$.state.counts.admitted', 2) WHERE auctionId = 3 AND sequence = 2`,
  )
  database.close()
  expect(await verify([], { folder })).toEqual({
    code: 1,
    stdout: `Register 3 differs at entry 2:
  recorded:     {"state":{"counts":{"admitted":2}}}
  this version: {"state":{"counts":{"admitted":1}}}
Verified 2 registers with 3 entries.
Auction 2 differs at entry 1:
  recorded:     {"event":{"admission":{"limitMinor":12000}}}
  this version: {"event":{"admission":{"limitMinor":11000}}}
Verified 2 auctions with 1 entry.
`,
    stderr: '1 register failed\n1 auction failed\n',
  })
})

test('--verify verifies all sales, names lots without an auction, and auctions that their sale does not list', async () => {
  const folder = await folderOf(async (service) => {
    const editor = 'staff'
    for (let count = 0; count < 2; count++) {
      const { id: saleId } = unwrap(await service.createSale({ sale: sampleNewSale(), editor }))
      unwrap(await service.addLots({ saleId, lots: sampleLots({ lot: '12' }, { lot: '12A' }, { lot: '13' }), editor }))
    }
  })
  const counts = 'Verified 2 sales with 4 entries.\n'
  const right = { code: 0, stdout: `${counts}Verified 6 auctions with 0 entries.\n`, stderr: '' }
  expect(await verify([], { folder })).toEqual(right)
  const database = new DatabaseSync(sqliteFileIn(folder))
  database.exec(`DELETE FROM auctions WHERE id = 4`)
  database.exec(`UPDATE auctions SET data = json_replace(data, '$.lot', '14') WHERE id = 3`)
  database.exec(`UPDATE auctions SET data = json_replace(data, '$.saleId', 9) WHERE id = 8`)
  database.close()
  const ofAuctions = `Auction 8 names lot 13 of sale 9, which does not list it.
Auction 3 names lot 14 of sale 1, which does not list it.
`
  expect(await verify([], { folder })).toEqual({
    code: 1,
    stdout: `Sale 1 has lots without an auction: 13; send the requests that added them again.
Sale 1 has lots whose auctions are not of it: 12A.
Sale 5 has lots whose auctions are not of it: 13.
${counts}${ofAuctions}Verified 5 auctions with 0 entries.
`,
    stderr: '3 sales failed\n2 auctions failed\n',
  })
  expect((await verify(['8', '3', '2'], { folder })).stdout).toBe(`${ofAuctions}Verified 3 auctions with 0 entries.\n`)
})

test('--verify reports entries that this version cannot read, and continues', async () => {
  const folder = await folderWith({ auctions: 2 })
  const database = new DatabaseSync(sqliteFileIn(folder))
  database.exec(
    `UPDATE entries SET data = json_replace(data, '$.event.type', 'extended?') WHERE auctionId = 2 AND sequence = 2`,
  )
  database.close()
  const { code, stdout } = await verify([], { folder })
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^Auction 2 cannot be read: the stored entry \d+ of auction 2 has .*\nVerified 1 auction with 3 entries\.\n$/,
  )
})

test('--verify ends after a signal, and continues where it was interrupted', async () => {
  const folder = await folderWith({ auctions: 5, damaged: [4] })
  const before = `
    const write = process.stdout.write.bind(process.stdout)
    process.stdout.write = (text) => write(text) && process.kill(process.pid, 'SIGINT')`
  expect(await verify([], { folder, before })).toEqual({
    code: 1,
    stdout: differenceOf(4),
    stderr: 'interrupted\nVerified 2 auctions with 5 entries; to continue, run: start --verify --after 4\n',
  })
  expect(await verify(['--after', '4'], { folder })).toEqual({
    code: 0,
    stdout: 'Verified 3 auctions with 9 entries.\n',
    stderr: '',
  })
})

test.each([
  [['3', 'x'], '--verify: must be followed by ids of auctions, such as 3 5, or by none for all auctions'],
  [['--after', '0'], '--after: must be the id of an auction'],
  [['--after', '3', '5'], '--after: cannot be used with ids of auctions'],
  [['--after', '9'], '--after: auction 9 does not exist'],
])('--verify %j is refused', async (args, line) => {
  const folder = await folderWith({ auctions: 1 })
  expect(await verify(args, { folder })).toEqual({ code: 1, stdout: '', stderr: `${line}\n` })
})

test('--verify is refused with STORE=memory, and without a file', async () => {
  const inMemory = await verify([], { environment: { STORE: 'memory' } })
  expect([inMemory.code, inMemory.stderr]).toEqual([
    1,
    expect.stringMatching(/^--verify: cannot be used with STORE=memory/),
  ])
  const without = await verify([], {})
  expect([without.code, without.stderr]).toEqual([1, expect.stringMatching(/^SQLITE_FILE: the file .* does not exist/)])
})
