import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longTest } from '../../../../tools/vitest/long-test.ts'
import { isLong } from '../../../../tools/vitest/size.ts'
import { createSale } from '../../src/api/operations/create-sale.ts'
import { documented } from '../contract/document.ts'
import { type ApiResponse, clientOf } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { correcting, managing, permissions, registering, saleManaging, tokenOf } from '../support/tokens.ts'
import { invalidRequest } from './invalid-requests.ts'
import { type FuzzedRequest, isWithinLimit, requestOf, validParts } from './valid-requests.ts'

const requests = isLong ? 3_000 : 50
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)
const token = tokenOf('anna', { permissions: [...permissions, correcting, managing, ...registering, saleManaging] })
const authorization = `Bearer ${token}`

/**
 * A server with an auction that has a reserve and a bid, one that can be bought, one that was cancelled after a bid, a
 * register, and a sale with a lot. It counts its writes.
 */
async function startTarget() {
  let writes = 0
  const server = await startServer({
    environment: { RATE_LIMIT_MAX: '1000000000', RATE_LIMIT_ANONYMOUS_MAX: '1000000000' },
    replaceInStore: (store) => ({
      async insertAuction(auction) {
        const inserted = await store.insertAuction(auction)
        if (inserted === 'inserted') writes++
        return inserted
      },
      async append(entries) {
        const appended = await store.append(entries)
        writes += appended
        return appended
      },
    }),
  })
  const anna = clientOf(server)
  const staff = clientOf(server, token)
  const reserved = { reservePrice: 500 }
  const prepared = [
    await anna.createAuction(reserved),
    await anna.placeBid(),
    await anna.createAuction({ buyNowPrice: 200 }),
    await anna.createAuction({ cancellableUntilEnd: true }),
    await anna.placeBid({ auctionId: 3 }),
    await anna.post('/api/Auctions/3/Cancellation', {}),
    await staff.post('/api/Registers', { currency: 'USD', admits: 'everyone' }),
    await staff.post('/api/Sales', Object.values(createSale.examples)[0]?.body),
    await staff.post('/api/Sales/5/Lots', { lots: [{ lot: '50', title: 'Desk' }] }),
  ]
  expect(prepared.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201, 201, 201, 200])
  const anonymous = clientOf(server, '')
  // The client checks every response against the document.
  const send = async ({ method, path, headers, body }: FuzzedRequest) => {
    const before = writes
    const response = await anonymous.send(method, path, {
      headers: { authorization, ...headers },
      ...(body !== undefined && { body }),
    })
    return { response, written: writes - before }
  }
  return { send }
}

/** Checks a property, and prints how to replay a failure. */
async function checkProperty(property: fc.IAsyncProperty<[FuzzedRequest]>): Promise<void> {
  try {
    await fc.assert(property, { numRuns: requests, seed })
  } catch (cause) {
    throw new Error(`replay it with: FUZZ_SEED=${seed} npx -y pnpm@12 fuzz:requests\n${String(cause)}`, { cause })
  }
}

type Documented = (typeof documented)[number]

const withinLimit = (each: Documented, requests: fc.Arbitrary<FuzzedRequest>) =>
  requests.filter((request) => isWithinLimit(each, request))
const validRequest = (each: Documented) =>
  withinLimit(
    each,
    validParts(each).map((parts) => requestOf(each, parts)),
  )

const valid = fc.oneof(...documented.map(validRequest))
const invalid = fc.oneof(...documented.map((each) => withinLimit(each, invalidRequest(each))))

// Some requests break rules that are not in the schema: an id does not exist, a price has too many decimals, a key is used again.
const expectedOfValid = [200, 201, 304, 400, 404, 409, 412, 422]

test('a request that the document allows is carried out, or refused by a rule', {
  timeout: 180_000 + requests * 40,
}, async () => {
  const { send } = await startTarget()
  await checkProperty(
    fc.asyncProperty(valid, async (request) => {
      const { response, written } = await send(request)
      expect(expectedOfValid, response.text).toContain(response.status)
      const mayHaveWritten = request.method !== 'GET' && response.status < 400
      if (!mayHaveWritten) expect(written).toBe(0)
    }),
  )
})

longTest('requests that the document allows succeed for every operation', async () => {
  const failed: string[] = []
  for (const each of documented) {
    const { send } = await startTarget()
    let hasSucceeded = false
    // Always the same requests, a few at a time, because it takes longer to make them than to send them.
    for (let seed = 0; seed < 50 && !hasSucceeded; seed++) {
      for (const request of fc.sample(validRequest(each), { seed, numRuns: 20 })) {
        hasSucceeded ||= (await send(request)).response.status < 400
      }
    }
    // Otherwise no request of the other tests would pass the first checks.
    if (!hasSucceeded) failed.push(each.operation.operationId)
  }
  expect(failed).toEqual([])
})

test('a request that the document does not allow is refused for that, and changes nothing', {
  timeout: 180_000 + requests * 40,
}, async () => {
  const { send } = await startTarget()
  await checkProperty(
    fc.asyncProperty(invalid, async (request) => {
      const { response, written } = await send(request)
      expect(response.status, response.text).toBe(request.expected)
      // A response lists only the first errors: a body can have many amounts that its currency refuses.
      const { pointer } = request
      if (pointer !== undefined && !(response.body.moreErrors > 0))
        expect(
          toldPointers(response).filter((each) => isAtOrWithin(each, pointer)),
          pointer,
        ).not.toEqual([])
      expect(written).toBe(0)
    }),
  )
})

/** The errors of a list and of an object are reported for what is in them. */
const isAtOrWithin = (observed: unknown, pointer: string): boolean =>
  observed === pointer || String(observed).startsWith(`${pointer}/`)

const toldPointers = ({ body }: ApiResponse): readonly unknown[] =>
  (body.errors ?? []).map(({ pointer }: { readonly pointer: unknown }) => pointer)
