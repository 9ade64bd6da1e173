import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const sources = fileURLToPath(new URL('../../../src/', import.meta.url))

/** Members of English terms, states and requests, and events that other formats do not have. */
const english =
  /\b(bid-placed|maximum-raised|reserve-lowered|bought|automatic|leader|leaderId|bidCount|softClose|incrementSteps|incrementPercent|incrementBasisPoints|minimumBidIncrement\w*|maximumBidIncrement\w*|minimumNextBid\w*|maximumNextBid\w*|buyNowPrice\w*|reservePrice\w*|isReserveMet|maximumMinor|maximumAmount)\b/g

/** A comment, or a string. A template stays: it may contain code. */
const commentOrString = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'/g

/** The names in code. A string with a space is a text, and names nothing. */
function namesIn(source: string): readonly string[] {
  const code = source.replaceAll(commentOrString, (token) =>
    token.startsWith('/') || token.includes(' ') ? '' : token,
  )
  return [...new Set(code.match(english))].toSorted()
}

const exceptions = {
  // Any auction may be bought: results and refusals of every format name that outcome.
  'auction/life-events.ts': ['bought'],
  'auction/life-refusals.ts': ['bought'],
  'auction/life.ts': ['bought'],
  'auction/status.ts': ['bought'],
  'auction/view.ts': ['bought'],
  'json.ts': ['bought', 'minimumNextBidJson', 'reservePriceMinor'], // The JSON of the API has one shape for all formats.
  'store/stages.ts': ['bought'],
  'use-cases/buy-now.ts': ['bought'],
  'use-cases/list-auctions.ts': ['bought'],
  'use-cases/read-sales.ts': ['bought'],
  // The fields of the requests that every format takes.
  'auction/common-fields.ts': ['minimumBidIncrement', 'reservePrice'], // A field that several formats may share.
  'auction/bid.ts': ['maximumAmount'],
  'auction/offers.ts': ['maximumAmount', 'reservePrice'],
  'use-cases/place-bid.ts': ['maximumAmount'],
  // The defaults of a sale may have fields that several formats share, and a reserve that its staff may not read.
  'sale/fields.ts': ['minimumBidIncrement', 'reservePrice'],
  'use-cases/check-lots.ts': ['buyNowPrice', 'reservePrice'],
  'public/json.ts': ['minimumNextBidJson'], // Exported from `json.ts`.
}

test('outside the folders of formats, no code names what only English has, but for these names', () => {
  const files = globSync('**/*.ts', { cwd: sources }).filter((file) => !file.startsWith('auction/formats/'))
  expect(files.length).toBeGreaterThan(80)
  const named = files.map((file) => [file, namesIn(readFileSync(sources + file, 'utf8'))] as const)
  expect(Object.fromEntries(named.filter(([, names]) => names.length > 0))).toStrictEqual(exceptions)
})

test('names are found in strings and outside them, and not in texts and comments', () => {
  expect(namesIn("type === 'bid-placed' || type === 'maximum-raised' // softClose")).toStrictEqual([
    ...['bid-placed', 'maximum-raised'],
  ])
  expect(namesIn("{ a: 'is the leader', b: 'it\\'s bought', c: state.leaderId } /* bidCount */")).toStrictEqual([
    'leaderId',
  ])
})
