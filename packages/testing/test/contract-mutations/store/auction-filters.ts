import type { Store } from '@auction/domain/store'
import { type StoreMutation, wrongCalls, wrongPage, wrongQuery, wrongStep, wrongSteps } from '../planted.ts'
import { rightSteps } from '../store-of-steps.ts'

const each = (test: string) =>
  ['the newest first', 'by the agenda', 'the latest end first'].map((name) => `${test}, listed ${name}`)
const together = each('filters by stage, owner and product, alone and together')
const full = each('fills its pages with auctions that match')
const short = 'fills each page of a query that has a short list, so that clients need few requests'
const bounded = 'examines a bounded number of auctions for a page, and lists all matches page by page'

const filtering: readonly StoreMutation[] = [
  wrongQuery('does not know of owners', together, ({ ownerId: _, ...query }) => query),
  wrongQuery('does not know of products', together, ({ productId: _, ...query }) => query),
  wrongQuery('does not know of stages', [...together, short], ({ stages: _, ...query }) => query),
  wrongQuery('ignores the stages with an owner', together, ({ stages, ...query }) =>
    stages && query.ownerId === undefined ? { ...query, stages } : query,
  ),
  wrongQuery('ignores the stages with a product', together, ({ stages, ...query }) =>
    stages && query.productId === undefined ? { ...query, stages } : query,
  ),
  wrongQuery('knows only the first of several stages', [...together.slice(0, 1), short], ({ stages, ...query }) =>
    stages ? { ...query, stages: stages.slice(0, 1) } : query,
  ),
  wrongStep(
    'treats all ended auctions as sold',
    [...together.filter((_, index) => index !== 1), short],
    'nextAgenda',
    (agenda, update) => {
      const next = rightSteps.nextAgenda(agenda, update)
      return 'endedMs' in next ? { ...next, outcome: 'sold' } : next
    },
  ),
  wrongQuery('ignores the due filter with an owner', together.slice(1, 2), ({ dueByMs, ...query }) =>
    dueByMs && query.ownerId === undefined ? { ...query, dueByMs } : query,
  ),
  wrongQuery('ignores the due filter with a product', together.slice(1, 2), ({ dueByMs, ...query }) =>
    dueByMs && query.productId === undefined ? { ...query, dueByMs } : query,
  ),
  wrongQuery('ignores the product with an owner', together, ({ productId, ...query }) =>
    productId && query.ownerId === undefined ? { ...query, productId } : query,
  ),
  wrongSteps('requires only one of the filters', together, {
    chosenList: () => -1,
    matches: ({ auction }, { ownerId, productId }) => {
      const hits = [ownerId && auction.ownerId === ownerId, productId && auction.productId === productId].filter(
        (hit) => hit !== undefined,
      )
      return hits.length === 0 || hits.includes(true)
    },
  }),
  wrongStep(
    'lists only ended auctions without stages',
    together.slice(0, 1),
    'isPassedOver',
    (placed, query) =>
      rightSteps.isPassedOver(placed, query) ||
      (query.order === 'newest' && query.stages === undefined && 'dueMs' in placed.agenda),
  ),
  wrongSteps('compares owners as texts by prefix', together, {
    chosenList: () => -1,
    matches: (placed, { ownerId, ...query }) =>
      rightSteps.matches(placed, query) &&
      (ownerId === undefined || `${placed.auction.ownerId}`.startsWith(`${ownerId}`)),
  }),
  wrongQuery('ignores owner and product of ended auctions', [...together.slice(2), short], (query) => {
    const { ownerId: _, productId: __, ...all } = query
    return query.order === 'ended' ? all : query
  }),
  wrongStep(
    'continues at the next millisecond with a filter',
    [full[0] ?? '', full[2] ?? ''],
    'comesAfter',
    (placed, position) =>
      position.order === 'agenda' ? rightSteps.comesAfter(placed, position) : placed.timeMs < position.timeMs,
  ),
  wrongCalls('cuts at the limit before it filters', full, (right) => ({ listAuctions: cuttingFirst(right) })),
  wrongQuery('ignores the place with a filter', full, ({ after, ...query }) =>
    after && !query.ownerId && !query.productId ? { ...query, after } : query,
  ),
]

const cuttingFirst =
  (right: Store): Store['listAuctions'] =>
  async ({ ownerId, productId, ...query }) => {
    const { items, next } = await right.listAuctions(query)
    const isMatch = (auction: { readonly ownerId: unknown; readonly productId: unknown }) =>
      (ownerId === undefined || auction.ownerId === ownerId) &&
      (productId === undefined || auction.productId === productId)
    return { items: items.filter(({ auction }) => isMatch(auction)), next }
  }

const scanning: readonly StoreMutation[] = [
  wrongStep('looks at all auctions', bounded, 'maxScanned', Number.POSITIVE_INFINITY),
  // Of two lists that alternate, one auction more is not seen.
  wrongStep('looks at two auctions too many', bounded, 'maxScanned', 1_002),
  wrongStep('follows the first list', short, 'chosenList', () => 0),
  wrongStep('follows the longest list', short, 'chosenList', (counts) => counts.indexOf(Math.max(...counts))),
  wrongStep('has no lists of words, owners and products', short, 'chosenList', () => -1),
  wrongSteps('has no lists of stages', short, {
    isPassedOver: (placed, { stages: _, ...query }) => rightSteps.isPassedOver(placed, query),
    matches: (placed, query) => rightSteps.matches(placed, query) && !rightSteps.isPassedOver(placed, query),
  }),
  wrongSteps('examines ended auctions for pages of the agenda', short, {
    isPassedOver: ({ agenda, ...placed }, query) =>
      'dueMs' in agenda && rightSteps.isPassedOver({ agenda, ...placed }, query),
    matches: (placed, query) => rightSteps.matches(placed, query) && !rightSteps.isPassedOver(placed, query),
  }),
  wrongStep(
    'examines auctions without counting them',
    bounded,
    'isPassedOver',
    (placed, query) => rightSteps.isPassedOver(placed, query) || !rightSteps.matches(placed, query),
  ),
  wrongPage('treats a page without a match as the end', bounded, (page) =>
    page.items.length > 0 ? page : { ...page, next: undefined },
  ),
  wrongPage(
    'continues after the last match instead of the last examined auction',
    bounded,
    ({ items, next }, { after }, last) => ({ items, next: next && (last ?? after) }),
  ),
]

export const auctionFilterMutations: readonly StoreMutation[] = [...filtering, ...scanning]
