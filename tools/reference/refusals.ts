import { readFileSync } from 'node:fs'
import type { CommandType, RefusalRow } from '../../packages/domain/src/auction/life-refusals.ts'
import { refusals } from '../../packages/domain/src/auction/refusals.ts'
import { markdownTable } from './markdown-table.ts'

/** packages/domain/README.md, whose table of refusals is generated from their rows. */
export function domainReadme(): string {
  const page = readFileSync('packages/domain/README.md', 'utf8')
  const [before = '', rest = ''] = page.split(/(?<=<!-- The table is generated .*? -->\n\n)/)
  const after = rest.slice(rest.indexOf('\n\n'))
  return `${before}${refusalsTable()}${after}`
}

const useCases: Readonly<Record<CommandType, string>> = {
  'place-bid': 'placeBid',
  'buy-now': 'buyNow',
  cancel: 'cancelAuction',
  correct: 'correctAuction',
  extend: 'extendAuction',
  withdraw: 'withdrawBidder',
  'end-auction': 'endAuction',
  'lower-reserve': 'lowerReserve',
  'withdraw-own-bid': 'withdrawOwnBid',
  close: 'closeDue',
}

function refusalsTable(): string {
  const rows: Readonly<Record<string, RefusalRow>> = refusals
  const shown = Object.entries(rows).filter(([, { isInternal }]) => isInternal !== true)
  return markdownTable(
    ['code', 'kind', 'meaning', 'of'],
    shown.map(([code, { kind, meaning, of = [] }]) => [
      `\`${code}\``,
      `\`${kind}\``,
      meaning,
      of.map((command) => `\`${useCases[command]}\``).join(', '),
    ]),
  )
}
