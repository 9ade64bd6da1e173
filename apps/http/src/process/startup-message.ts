import type { Listening } from '@auction/host/listen'
import { trialClaims } from '../api/callers/claims.ts'
import { deskAuction } from '../api/operations/example-data.ts'
import type { Configuration } from '../configuration/configuration.ts'

const owner = deskAuction.ownerId
const bidder = 2

/**
 * What a server without a configured key prints: where it listens, a token, and commands that create, bid on, buy and
 * cancel auctions. Run in order, each command returns 201.
 * @param nextAuctionId The id of the first auction that this process creates.
 * @param signToken Signs claims with the random secret.
 */
export function startupMessage(
  configuration: Configuration,
  listening: Listening,
  { store, keyFile }: { readonly store: string; readonly keyFile: string | undefined },
  nextAuctionId: number,
  signToken: (claims: object) => string,
): string {
  const nowMs = Date.now()
  const { url } = listening
  const { subjectClaim } = configuration.tokens
  // One token serves both, unless tokens are bound to their users.
  const ownerToken = 'TOKEN'
  const bidderToken = subjectClaim === undefined ? ownerToken : 'BIDDER_TOKEN'
  const users = bidderToken === ownerToken ? [owner] : [owner, bidder]
  // Each is signed once: a second token would differ by its time.
  const tokens = users.map((user) => ({
    user,
    token: signToken(trialClaims(configuration, { subject: 'trial', user })),
  }))
  return [
    `The auction service listens on ${addressOf(listening)}`,
    `Store: ${store}`,
    ...(keyFile === undefined ? [] : [`Key of sealed bids: ${keyFile}`]),
    '',
    'No key for tokens is configured, so this process created a random one. Run this in your shell before the commands below:',
    ...tokens.map(({ user, token }) => `  ${user === owner ? ownerToken : bidderToken}=${token}`),
    ...(configuration.hasPage ? pageLinks(url, tokens) : []),
    '',
    'Create an auction:',
    `  ${curl(`${url}/api/Auctions`, ownerToken, trialAuction(nowMs))}`,
    'Place a bid on it:',
    `  ${curl(`${url}/api/Bids`, bidderToken, { auctionId: nextAuctionId, bidderId: bidder, amount: 100 })}`,
    'Buy it now, which is still possible because the bid is below the reserve:',
    `  ${curl(`${url}/api/Auctions/${nextAuctionId}/Purchase`, bidderToken, { buyerId: bidder })}`,
    'Create another auction:',
    `  ${curl(`${url}/api/Auctions`, ownerToken, trialAuction(nowMs))}`,
    'Cancel it:',
    `  ${curl(`${url}/api/Auctions/${nextAuctionId + 1}/Cancellation`, ownerToken, { reason: 'Sold elsewhere' })}`,
    `Or paste the token into the API reference: ${url}/docs`,
    '',
    'The token is valid until this process ends. See the documentation for JWT_SECRET, JWT_PUBLIC_KEY and JWT_JWKS_URL.',
  ].join('\n')
}

/** A fragment is not sent to servers, so no log has the token. */
const pageLinks = (url: string, tokens: readonly UserToken[]): readonly string[] => [
  '',
  tokens.length === 1 ? 'Open the web page:' : 'Open the web page, as the seller or as the bidder:',
  ...tokens.map(({ user, token }) => `  ${url}/#token=${token}&user=${user}`),
]
type UserToken = { readonly user: number; readonly token: string }

const addressOf = ({ url, onEveryInterface }: Listening): string =>
  onEveryInterface ? `all interfaces of this machine, for example ${url}` : url

const hourMs = 60 * 60 * 1000
const secondsIso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`

const trialAuction = (nowMs: number) => ({
  ...deskAuction,
  startTime: secondsIso(nowMs - hourMs),
  endTime: secondsIso(nowMs + 24 * hourMs),
  reservePrice: 300,
  buyNowPrice: 500,
})

/** `token` names the variable of the shell that holds it. */
const curl = (url: string, token: string, body: object): string =>
  `curl -i '${url}' -H "Authorization: Bearer $${token}" -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
