import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openSqliteStore } from '@auction/adapters/sqlite'
import { sampleAuction } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { isLong, sampleOf } from '../../../../tools/vitest/size.ts'
import { requestBytes } from '../support/raw-connection.ts'
import { temporaryFolder } from '../support/server-process.ts'
import { tokenOf } from '../support/tokens.ts'
import { inWords, startBidder, startSmallServer } from './steady-bidder.ts'

// One caller lists auctions with the longest descriptions, while another bids. `TEST_SIZE=long` repeats the attacks on more
// auctions, and prints the response times of the bidder.
const rounds = isLong ? 5 : 1
const auctions = isLong ? 2_000 : 600
const longest = '🏺'.repeat(10_000)

/** Before lists omitted descriptions, bids had no response for 15 to 25 s. */
const longestWaitMs = 5_000

/** A server with a small heap on a file of open auctions with the longest description. */
async function startWithAuctions() {
  const file = join(temporaryFolder(), 'auctions.sqlite')
  const store = await openSqliteStore(file)
  const times = { startTime: '2020-01-31T12:00:00Z', endTime: '2090-01-31T12:00:00Z' }
  for (let first = 1; first <= auctions; first += 100) {
    const ids = Array.from({ length: 100 }, (_, index) => first + index)
    await Promise.all(
      ids.map((id) => store.insertAuction(sampleAuction({ id, description: longest, createdAtMs: id, ...times }))),
    )
  }
  for (let block = 1; block <= auctions / 100; block++) await store.claimNextIdBlock('auctions')
  await store.close()
  return startSmallServer(file)
}

const attacker = { authorization: `Bearer ${tokenOf('mallory')}` }

async function open(url: string) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Sends requests on separate connections, and resets the connections after a while. */
async function sendAndReset(url: string, path: string, count: number, afterMs: number): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: count }, () => open(url)))
  for (const socket of sockets) socket.write(requestBytes('GET', path, attacker))
  await pause(afterMs)
  for (const socket of sockets) socket.resetAndDestroy()
}

/** Sends requests concurrently, and reads the responses. */
async function sendAndRead(url: string, path: string, count: number): Promise<readonly number[]> {
  const send = async () => {
    const answer = await fetch(url + path, { headers: attacker })
    await answer.arrayBuffer()
    return answer.status
  }
  return Promise.all(Array.from({ length: count }, send))
}

const attacks = [
  [
    'requests for a hundred auctions, and resets the connections',
    (url: string) => sendAndReset(url, '/api/Auctions?limit=100', 290, 250),
  ],
  [
    'requests for a status that no auction has',
    (url: string) => sendAndRead(url, '/api/Auctions?status=Cancelled&limit=1', 60),
  ],
] as const

test.each(sampleOf(attacks))('a caller can bid while another sends %s', async (name, attack) => {
  const { url, child } = await startWithAuctions()
  const bidder = startBidder({ url, token: tokenOf('berta'), auctionId: 1, amount: 100 })
  for (let round = 0; round < rounds; round++) {
    await attack(url)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    await pause(1_000)
  }
  const waited = await bidder.stop()
  if (isLong) process.stdout.write(`${name}: ${inWords(waited)}\n`)
  expect(Math.max(...waited)).toBeLessThan(longestWaitMs)
  expect(child.exitCode).toBe(null)
})
