import { createJwtPermissionChecker } from '@auction/adapters/jwt'

const checker = createJwtPermissionChecker({
  claims: ['permissions', 'scope'],
  values: {
    'Auctions.Create': 'shop:sell',
    'Bids.Create': 'shop:bid',
    'Auctions.Cancel': 'shop:sell',
    'Auctions.Cancel.Any': 'shop:moderate',
    'Auctions.Update': 'shop:moderate',
    'Auctions.Read': undefined, // Any valid token reads.
    'Bids.Read': undefined,
    'Auctions.Reserve.Read': 'shop:audit',
    'Bidders.Read': 'shop:settle',
  },
})

/** The claims of a token whose signature and lifetime have been checked. */
const claims = { sub: 'user-2', scope: 'openid shop:bid' }
console.log(checker.allows(claims, 'Bids.Create'), checker.allows(claims, 'Auctions.Create'))
