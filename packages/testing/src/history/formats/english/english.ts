import type { Format } from '../format.ts'
import { again, changeBy, noBids, requestIn, standingIn } from './bids.ts'
import { findingsOf } from './findings.ts'
import { figures, resultOf } from './prices.ts'
import { publicEvent } from './public-event.ts'
import { refusals } from './refusals.ts'
import { hasOwnersRepair, problemOf, renamed, withRepairs } from './terms.ts'
import type { EnglishAuction, EnglishEvent, EnglishStanding } from './types.ts'

export const english = {
  none: noBids,
  lacks: ['withdraw-own-bid'],
  standingIn,
  hasOffers: ({ leader }: EnglishStanding) => leader !== null,
  requestIn,
  findingsOf,
  changeBy,
  again,
  // An automatic bid has the id after that of its entry.
  idsOf: (event: EnglishEvent) => ('automatic' in event && event.automatic !== undefined ? 2 : 1),
  result: resultOf,
  problemOf,
  withRepairs,
  fixed: ['bidSteps', 'onlySteps'],
  hasLaterTerms: ({ bidSteps }: EnglishAuction) => bidSteps !== undefined,
  hasOwnersRepair,
  renamed,
  figures,
  publicEvent,
  secrets: ['reservePriceMinor', 'maximumMinor', 'leaderMaximumMinor'],
  refusals,
} satisfies Format
