import { expect, test } from 'vitest'
import { openAuction } from '../../support/client.ts'
import { startServer } from '../../support/server.ts'
import { tokenOf } from '../../support/tokens.ts'
import { bidUpTo } from './bid-up-to.ts'
import { createPatientFetch } from './patient-fetch.ts'

test('the page bids up to the maximum, although others were faster, and shows other refusals', async () => {
  const server = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'user_id' } })
  const owner = tokenOf('ann', { user_id: 1 })
  const auction = await openAuction(server, {}, owner)
  const bidAs = (bidderId: number, amount: number, maximumAmount: number) => {
    const bid = { auctionId: auction.id, bidderId, amount, maximumAmount }
    return bidUpTo(server.url, tokenOf(`user ${bidderId}`, { user_id: bidderId }), bid, createPatientFetch())
  }
  expect(await bidAs(2, 100, 120)).toMatchObject({ success: true, data: { youLead: true, yourMaximum: 120 } })
  expect(await bidAs(3, 100, 150)).toMatchObject({ success: true, data: { amount: 105, youLead: true } })
  expect(await bidAs(2, 100, 110)).toMatchObject({ code: 'bid-too-low', minimumNextBid: 130 })
  expect(await bidAs(3, 100, 140)).toMatchObject({ code: 'maximum-not-raised' })
})
