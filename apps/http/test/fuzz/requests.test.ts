import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import { documented } from '../contract/document.ts'
import { type Answer, clientOf } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { correcting, managing, permissions, tokenOf } from '../support/tokens.ts'
import { invalidRequest } from './invalid-requests.ts'
import { type FuzzedRequest, isWithinLimit, requestOf, validParts } from './valid-requests.ts'

const requests = isLong ? 3_000 : 100
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31)
const authorization = `Bearer ${tokenOf('anna', { permissions: [...permissions, correcting, managing] })}`

/** A server with an auction and a bid, and with an auction that can be bought. It counts its writes. */
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
  const prepared = [await anna.createAuction(), await anna.placeBid(), await anna.createAuction({ buyNowPrice: 200 })]
  expect(prepared.map(({ status }) => status)).toEqual([201, 201, 201])
  const anonymous = clientOf(server, '')
  // The client checks every response against the document.
  const send = async ({ method, path, headers, body }: FuzzedRequest) => {
    const before = writes
    const answer = await anonymous.send(method, path, {
      headers: { authorization, ...headers },
      ...(body !== undefined && { body }),
    })
    return { answer, written: writes - before }
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

const anyOf = (make: (each: (typeof documented)[number]) => fc.Arbitrary<FuzzedRequest>) =>
  fc.oneof(...documented.map((each) => make(each).filter((request) => isWithinLimit(each, request))))

const valid = anyOf((each) => validParts(each).map((parts) => requestOf(each, parts)))

// Some requests break rules that are not in the schema: an id does not exist, a price has too many decimals, a key is used again.
const expectedOfValid = [200, 201, 304, 400, 404, 409, 412, 422]

test('a request that the document allows is carried out, or refused by a rule', {
  timeout: 180_000 + requests * 40,
}, async () => {
  const { send } = await startTarget()
  await checkProperty(
    fc.asyncProperty(valid, async (request) => {
      const { answer, written } = await send(request)
      expect(expectedOfValid, answer.text).toContain(answer.status)
      const mayHaveWritten = request.method !== 'GET' && answer.status < 400
      if (!mayHaveWritten) expect(written).toBe(0)
    }),
  )
})

test('requests that the document allows succeed for every operation', async () => {
  const succeeded = new Set<string>()
  // Several targets, since a request may sell or cancel the auction before any bid. Always the same requests.
  for (let seed = 0; seed < 20 && succeeded.size < documented.length; seed++) {
    const { send } = await startTarget()
    for (const request of fc.sample(valid, { seed, numRuns: 300 })) {
      if ((await send(request)).answer.status < 400) succeeded.add(request.operation)
    }
  }
  // Otherwise no request would pass the first checks.
  expect([...succeeded].toSorted()).toEqual(documented.map(({ operation }) => operation.operationId).toSorted())
})

test('a request that the document does not allow is refused for that, and changes nothing', {
  timeout: 180_000 + requests * 40,
}, async () => {
  const { send } = await startTarget()
  await checkProperty(
    fc.asyncProperty(anyOf(invalidRequest), async (request) => {
      const { answer, written } = await send(request)
      expect(answer.status, answer.text).toBe(request.expected)
      if (request.pointer !== undefined) expect(toldPointers(answer)).toContain(request.pointer)
      expect(written).toBe(0)
    }),
  )
})

const toldPointers = ({ body }: Answer): readonly unknown[] =>
  (body.errors ?? []).map(({ pointer }: { readonly pointer: unknown }) => pointer)
