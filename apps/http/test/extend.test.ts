import { openSqliteStore } from '@auction/adapters/sqlite'
import type { AuctionService } from '@auction/domain'
import { type AuctionId, toAuctionId } from '@auction/domain/ids'
import { isoOf } from '@auction/domain/moment'
import { unwrap } from '@auction/domain/result'
import { sampleEarlyEnd, sampleExtension, sampleNewAuction, sampleNewBid } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { clientOf } from './support/client.ts'
import { runnerOf } from './support/command.ts'
import { folderOf, sqliteFileIn } from './support/filled-store.ts'
import { startServerProcess } from './support/server-process.ts'
import { secret as JWT_SECRET } from './support/tokens.ts'

const extend = runnerOf('--extend')

const day = '2030-01-31'
const order = ['15m', '--ending', `${day}T18:00Z..18:30Z`, '--reason', 'An outage.']

const create = async (service: AuctionService, fields: Parameters<typeof sampleNewAuction>[0]): Promise<AuctionId> =>
  unwrap(await service.createAuction(sampleNewAuction(fields))).id

/** Auctions around the time from 18:00 to 18:30, in the order of their ids. */
async function fillAround(service: AuctionService, clock: { set(iso: string): void }): Promise<void> {
  await create(service, { endTime: `${day}T17:59:59.999Z` })
  await create(service, { endTime: `${day}T18:00:00Z` })
  await create(service, { endTime: `${day}T18:30:00Z`, startTime: `${day}T18:20:00Z` })
  await create(service, { endTime: `${day}T18:30:00.001Z` })
  const softClose = { windowSeconds: 600, extensionSeconds: 600, latestEndTime: `${day}T19:00:00Z` }
  const extended = await create(service, { endTime: `${day}T17:55:00Z`, softClose })
  unwrap(await service.cancelAuction({ auctionId: await create(service, { endTime: `${day}T18:10:00Z` }) }))
  await create(service, { endTime: `${day}T18:01:00Z` })
  clock.set(`${day}T17:54:00Z`)
  unwrap(await service.placeBid(sampleNewBid({ auctionId: extended })))
}

const lineOf = (id: number, outcome: string, from: string, to: string): string =>
  `Auction ${id}: ${outcome}, from ${day}T${from}Z to ${day}T${to}Z\n`

test('--extend extends the auctions that end in a time, once', async () => {
  const folder = await folderOf(fillAround)
  const linesOf = (outcome: string): readonly string[] => [
    lineOf(2, outcome, '18:00:00.000', '18:15:00.000'),
    lineOf(7, outcome, '18:01:00.000', '18:16:00.000'),
    lineOf(5, outcome, '18:04:00.000', '18:19:00.000'),
    lineOf(3, outcome, '18:30:00.000', '18:45:00.000'),
  ]
  // New York is five hours earlier.
  const zoned = ['15m', '--ending', `${day}T13:00..13:30`, '--zone', 'America/New_York', '--reason', 'An outage.']
  for (const [outcome, args] of [
    ['would be extended', [...order, '--dry-run']],
    ['extended', zoned],
    ['already extended', order],
  ] as const) {
    const { code, stdout, stderr } = await extend(args, { folder })
    expect([code, stderr]).toEqual([0, ''])
    const lines = stdout.split(/(?<=\n)/)
    expect(lines.slice(0, -1).toSorted()).toEqual(linesOf(outcome).toSorted())
    expect(lines.at(-1)).toBe(`Auctions: 4 ${outcome}\n`)
  }
  // Another reason is another order.
  const again = await extend([...order.slice(0, -1), 'A second outage.'], { folder })
  expect(again.stdout).toContain(lineOf(2, 'extended', '18:15:00.000', '18:30:00.000'))
  expect(again.stdout).toContain('Auctions: 3 extended\n')
})

test('--extend extends auctions that have ended without a result, and reports those with one', async () => {
  const now = Date.now()
  const endTime = isoOf(now - 60_000)
  const folder = await folderOf(async (service, clock) => {
    clock.set(isoOf(now - 3_600_000))
    const fields = { startTime: isoOf(now - 3_600_000), endTime }
    const [sold, open] = [
      await create(service, fields),
      await create(service, { ...fields, endTime: isoOf(now - 59_000) }),
    ]
    expect([sold, open]).toEqual([1, 2])
    clock.set(isoOf(now - 57_900))
    await service.closeDue()
    const stopped = await create(service, { ...fields, endTime: isoOf(now + 3_600_000) })
    clock.set(isoOf(now - 50_000))
    unwrap(await service.endAuction({ auctionId: stopped, earlyEnd: sampleEarlyEnd(), editor: 'staff' }))
  })
  const ending = `${isoOf(now - 70_000)}..${isoOf(now - 10_000)}`
  const { code, stdout, stderr } = await extend(['15m', '--ending', ending, '--reason', 'An outage.'], { folder })
  expect(stdout).toBe(`Auction 3: ended by staff, so it is not extended
Auction 2: extended, from ${isoOf(now - 59_000)} to ${isoOf(now - 59_000 + 900_000)}
Auction 1: too late, its result is recorded
Auctions: 1 ended by staff, 1 extended, 1 too late
`)
  expect([code, stderr]).toEqual([1, 'not all auctions were extended\n'])
})

test('--dry-run refuses what is refused, for the same reason', async () => {
  const now = Date.now()
  const [startTime, endMs] = [isoOf(now - 3_600_000), now - 7_000]
  const folder = await folderOf(async (service, clock) => {
    clock.set(startTime)
    await create(service, { startTime, endTime: isoOf(endMs) })
    const auctionId = await create(service, { startTime, endTime: isoOf(endMs - 100) })
    for (let ms = endMs - 50; ms < endMs; ms++)
      unwrap(await service.extendAuction({ auctionId, extension: sampleExtension(isoOf(ms)), editor: 'staff' }))
  })
  const args = ['1s', '--ending', `${isoOf(now - 10_000)}..${isoOf(now)}`, '--reason', 'An outage.']
  for (const [some, stderr] of [
    [[...args, '--dry-run'], 'not all auctions can be extended\n'],
    [args, 'not all auctions were extended\n'],
  ] as const) {
    const { stdout, ...ended } = await extend(some, { folder })
    expect(ended).toEqual({ code: 1, stderr })
    expect(stdout.trimEnd().split('\n').toSorted()).toEqual([
      expect.stringContaining('Auction 1: failed, the new end must be in the future; the current time is '),
      'Auction 2: failed, too-many-repairs',
      'Auctions: 2 failed',
    ])
  }
})

test('--extend continues where it was interrupted, and shows its work to a server that runs', async () => {
  const auctions = 40
  const folder = await folderOf(async (service) => {
    for (let count = 0; count < auctions; count++) await create(service, { endTime: `${day}T18:10:00Z` })
  })
  const server = await startServerProcess({ JWT_SECRET }, { folder })
  const before = `
    const write = process.stdout.write.bind(process.stdout)
    process.stdout.write = (text) => {
      write(text)
      if (text.startsWith('Auction 1:')) process.kill(process.pid, 'SIGINT')
    }`
  const first = await extend(order, { folder, before })
  expect([first.code, first.stderr]).toEqual([1, 'interrupted\nto continue, run the same command again\n'])
  const done = first.stdout.match(/: extended/g)?.length ?? 0
  expect(done).toBeLessThan(auctions)
  const second = await extend(order, { folder })
  expect([second.code, second.stdout.split('\n').at(-2)]).toEqual([
    0,
    `Auctions: ${done} already extended, ${auctions - done} extended`,
  ])
  const events = await clientOf(server).get('/api/Auctions/40/Events')
  expect(events.body.data.items).toMatchObject([
    { type: 'extended', effectiveEndTime: `${day}T18:25:00.000Z`, reason: 'An outage.' },
  ])
})

longTest('--extend extends each auction once if two run at the same time', async () => {
  const auctions = 30
  const folder = await folderOf(async (service) => {
    for (let count = 0; count < auctions; count++) await create(service, { endTime: `${day}T18:10:00Z` })
  })
  const runs = await Promise.all([extend(order, { folder, before: '' }), extend(order, { folder, before: '' })])
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ])
  const outcomes = runs.flatMap(({ stdout }) => stdout.match(/: (already )?extended,/g) ?? [])
  expect(outcomes.filter((outcome) => outcome === ': extended,')).toHaveLength(auctions)
  expect(outcomes).toHaveLength(2 * auctions)
  const store = await openSqliteStore(sqliteFileIn(folder))
  for (let id = 1; id <= auctions; id++) expect(await store.listEntries(toAuctionId(id), { limit: 2 })).toHaveLength(1)
  await store.close()
})

test('the ledger has the editor and the reason', async () => {
  const folder = await folderOf(async (service) => void (await create(service, { endTime: `${day}T18:10:00Z` })))
  await extend([...order, '--editor', 'anna'], { folder })
  const store = await openSqliteStore(sqliteFileIn(folder))
  const [entry] = await store.listEntries(toAuctionId(1), { limit: 1 })
  await store.close()
  expect(entry?.event).toMatchObject({ type: 'extended', editor: 'anna', reason: 'An outage.' })
})

const byRule = '--extend: must be a number followed by s, m, h or d, such as 15m, up to 30d'
const endingRule = '--ending: must be two times in UTC, such as 2026-11-26T18:00Z..18:30Z'
const inZone = (ending: string, zone = 'Europe/Vienna') => ['15m', '--ending', ending, '--zone', zone, '--reason', 'x']

test.each([
  [['15', ...order.slice(1)], [byRule]],
  [['31d', ...order.slice(1)], [byRule]],
  [['15m'], [endingRule, '--reason: must be a string of 1 to 500 characters']],
  [
    inZone(`${day}T18:00Z..18:30Z`),
    ['--ending: must be two times without Z, such as 2026-11-26T18:00..18:30, since --zone is given'],
  ],
  [inZone('2030-03-31T02:30..03:30'), ['--ending: the clocks of the zone skip one of these times']],
  [inZone(`${day}T18:00..18:30`, 'Vienna'), ['--zone: must be a time zone, such as Europe/Vienna']],
  [['15m', '--ending', `${day}T18:00Z`, '--reason', 'x'], [endingRule]],
  [[...order, '--editor', ''], ['--editor: must have 1 to 100 characters']],
])('--extend %j is refused', async (args, lines) => {
  const { code, stdout, stderr } = await extend(args, {})
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.trimEnd().split('\n')).toEqual(lines)
})
