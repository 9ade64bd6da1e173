import { AuctionClientError } from '@auction/client'
import { expect, test } from 'vitest'
import type { Page } from '../page/app.js'
import { createFormat } from '../page/format.js'
import { createActions } from '../page/views/actions.js'

test('a bid that the service cannot seal can be sent again later', async () => {
  const body = { code: 'sealed-bids-unavailable', message: 'No key.' }
  const client = { placeBidOnAuction: () => Promise.reject(new AuctionClientError({ status: 503, body })) }
  const page = { format: createFormat({}, 'en'), known: { client }, opened: {}, schedule() {}, announce() {} }
  const actions = createActions(1)
  // The cast: sending uses these parts of a page only.
  await actions.send(page as unknown as Page, 'placeBidOnAuction', { bidderId: 2, amount: 150 }, () => expect.fail())
  expect(actions.outcome).toMatchObject({ isGood: false, text: expect.stringMatching(/try again later\.$/) })
})
