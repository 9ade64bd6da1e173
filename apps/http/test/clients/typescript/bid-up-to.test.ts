import { createAuctionClient } from '@auction/client'
import { expect, test } from 'vitest'
import { openAuction } from '../../support/client.ts'
import { startServer } from '../../support/server.ts'
import { tokenOf } from '../../support/tokens.ts'
import { bidUpTo } from './bid-up-to.ts'

test('the page bids up to the maximum, although others were faster, and shows other refusals', async () => {
  const { url } = await startServer({ environment: { JWT_SUBJECT_CLAIM: 'user_id' } })
  const { id } = await openAuction({ url }, {}, tokenOf('ann', { user_id: 1 }))
  const bidAs = (bidderId: number, amount: number, maximumAmount: number) => {
    const client = createAuctionClient({ baseUrl: url, token: tokenOf(`user ${bidderId}`, { user_id: bidderId }) })
    return bidUpTo(client, { auctionId: id, bidderId, amount, maximumAmount })
  }
  expect(await bidAs(2, 100, 120)).toMatchObject({ ok: true, data: { youLead: true, yourMaximum: 120 } })
  expect(await bidAs(3, 100, 150)).toMatchObject({ ok: true, data: { amount: 105, youLead: true } })
  expect(await bidAs(2, 100, 110)).toMatchObject({ refusal: { code: 'bid-too-low', minimumNextBid: 130 } })
  expect(await bidAs(3, 100, 140)).toMatchObject({ refusal: { code: 'maximum-not-raised' } })
})
