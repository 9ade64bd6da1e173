import type { AuctionService } from '@auction/domain'
import { toAuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import { sampleNewAuction, sampleNewBid } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { folderOf } from './support/filled-store.ts'
import { startProcess } from './support/server-process.ts'

async function whatIf(folder: string, ...args: readonly string[]) {
  const child = startProcess({}, { folder, args: ['--what-if', ...args] })
  return { code: await child.exited(), stdout: child.stdout(), stderr: child.stderr() }
}

/** Three bidders on an auction that is sold, and one that has no bids. */
const folderWithBids = () =>
  folderOf(async (service: AuctionService, clock) => {
    unwrap(await service.createAuction(sampleNewAuction({ reservePrice: 110, endTime: '2030-01-31T13:00:00Z' })))
    unwrap(await service.createAuction(sampleNewAuction()))
    const auctionId = toAuctionId(1)
    unwrap(await service.placeBid(sampleNewBid({ auctionId, amount: 100, maximumAmount: 150.5 })))
    clock.advance(1_000)
    unwrap(await service.placeBid(sampleNewBid({ auctionId, bidderId: 3, amount: 120 })))
    clock.advance(1_000)
    unwrap(await service.placeBid(sampleNewBid({ auctionId, bidderId: 4, amount: 160 })))
    clock.set('2030-01-31T13:00:02Z')
    await service.closeDue()
  })

test('--what-if prints both price paths and results', async () => {
  const folder = await folderWithBids()
  expect(await whatIf(folder, '1', '--without-bidder', '4', '--increment-steps', '0:2,115:20')).toEqual({
    code: 0,
    stdout: `   entry  time                      recorded                        recomputed
       1  2030-01-31T12:00:00.000Z  110 USD, led by user 2          110 USD, led by user 2
       2  2030-01-31T12:00:01.000Z  125 USD, led by user 2          140 USD, led by user 2
       3  2030-01-31T12:00:02.000Z  160 USD, led by user 4          140 USD, led by user 2 (left out)
Recorded: sold to user 4 for 160 USD
Recomputed: sold to user 2 for 140 USD
`,
    stderr: '',
  })
  const { stdout } = await whatIf(folder, '1', '--reserve', '160.5', '--increment-percent', '30')
  expect(stdout.split('\n').slice(2)).toEqual([
    '       2  2030-01-31T12:00:01.000Z  125 USD, led by user 2          100 USD, led by user 2 (refused: bid-too-low)',
    '       3  2030-01-31T12:00:02.000Z  160 USD, led by user 4          160 USD, led by user 4',
    'Recorded: sold to user 4 for 160 USD',
    'Recomputed: unsold: reserve-not-met',
    '',
  ])
  expect((await whatIf(folder, '2')).stdout).toBe('Recorded: no entries\nRecomputed: no entries\n')
})

test.each([
  [['x'], ['--what-if: must be the id of an auction']],
  [['9'], ['Auction 9 does not exist.']],
  [['1', '--reserve', '50'], ['--what-if: reservePrice must be at least startingPrice']],
  [
    ['1', '--reserve', 'x', '--without-bidder', '0'],
    [/^--what-if: reservePrice must be/, '--without-bidder: must be the id of a user'],
  ],
  [['1', '--increment-steps', '100'], ['--increment-steps: must be prices with increments, such as 0:1,100:5,500:10']],
  [
    ['1', '--soft-close', '5m'],
    ['--soft-close: must be none, or window, extension and latest end, such as 5m,5m,2030-01-31T15:00:00Z'],
  ],
  [['1', '--soft-close', '5m,5m,later'], [/^--what-if: softClose\/latestEndTime must be/]],
])('--what-if %j is refused', async (args, lines) => {
  const { code, stdout, stderr } = await whatIf(await folderWithBids(), ...args)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.trimEnd().split('\n')).toEqual(
    lines.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))),
  )
})

test('an option without its command is refused', async () => {
  const child = startProcess({}, { args: ['--verify', '--reserve', 'none'] })
  expect([await child.exited(), child.stderr()]).toEqual([1, '--reserve: requires --what-if; see --help\n'])
})
