import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AuctionService } from '../src/service.ts'

type UseCase = Exclude<keyof AuctionService, 'backlog' | 'close' | 'closeDue' | 'watchAuction' | 'subscribe' | 'replay'>
type RefusalOf<Name extends UseCase> =
  Extract<Awaited<ReturnType<AuctionService[Name]>>, { readonly ok: false }> extends { readonly refusal: infer Refusal }
    ? Extract<Refusal, { readonly code: string }>['code']
    : never

const inAnyLane = { 'auction-not-found': true, 'idempotency-key-reused': true, overloaded: true } as const

// A new refusal does not compile until it is listed here.
const refusals: { readonly [Name in UseCase]: Readonly<Record<RefusalOf<Name>, true>> } = {
  createAuction: { 'validation-failed': true, 'idempotency-key-reused': true },
  placeBid: {
    ...inAnyLane,
    'validation-failed': true,
    'auction-not-started': true,
    'auction-ended': true,
    'auction-cancelled': true,
    'owner-cannot-bid': true,
    'bid-too-low': true,
    'buy-now-is-lower': true,
    'maximum-not-raised': true,
  },
  buyNow: {
    ...inAnyLane,
    'auction-not-started': true,
    'auction-ended': true,
    'auction-cancelled': true,
    'owner-cannot-buy': true,
    'buy-now-not-offered': true,
  },
  cancelAuction: { ...inAnyLane, 'not-the-owner': true, 'auction-ended': true, 'auction-has-bids': true },
  correctAuction: {
    ...inAnyLane,
    'auction-ended': true,
    'auction-cancelled': true,
    'auction-has-bids': true,
    'too-many-corrections': true,
    'precondition-failed': true,
  },
  readAuction: { 'auction-not-found': true, overloaded: true },
  readBid: { 'bid-not-found': true, overloaded: true },
  listAuctions: { overloaded: true },
  listBidsOfBidder: { overloaded: true },
  listBids: { 'auction-not-found': true, overloaded: true },
  listEvents: { 'auction-not-found': true, 'validation-failed': true, overloaded: true },
}

const page = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

test.each(Object.entries(refusals))('the README lists the refusals of %s', (name, codes) => {
  const cell = new RegExp(`^\\| \`${name}\` .*\\| (?<refuses>.*?) *\\|$`, 'm').exec(page)?.groups?.['refuses']
  const listed = [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code]) => code)
  const others = Object.keys(codes).filter((code) => code !== 'overloaded')
  expect(listed.toSorted()).toEqual(others.toSorted())
  expect(cell).toMatch(others.length === 0 ? /^no other$/ : /`/)
})

test('the README names the use cases that are never overloaded', () => {
  const [never, ...others] = Object.keys(refusals).filter((name) => !('overloaded' in refusals[name as UseCase]))
  expect(others).toEqual([])
  expect(page.replaceAll(/\s+/g, ' ')).toContain(
    `All but \`${never}\` and \`closeDue\` also refuse with \`overloaded\`.`,
  )
})
