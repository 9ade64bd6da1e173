import { type AuctionQuery, givenKeys, keysIn, type ListKeys } from './auction-query.ts'
import { type Stage, stages, stagesOf } from './stages.ts'

/**
 * The maximum number of auctions that a store reads for one page. If few match, the page is short and has a `next`.
 *
 * A store has a list of each stage, alone and of each value of each of the `listKeys`, and one of each word. It follows
 * the shortest list that a query allows, so a page is short only if each of these lists has more auctions than this,
 * and few of them are in common. See `shortestSource`.
 */
export const maxScannedAuctions = 1_000

/** What an auction must have in addition to being in a list. */
type ListFilter = ListKeys & { readonly words: readonly string[]; readonly stages?: readonly Stage[] | undefined }

/**
 * A list that has all auctions of a query: that of a word, or those of some stages, of all auctions or with one list
 * key.
 */
export type ListSource = {
  readonly of: { readonly word: string } | ({ readonly stages: readonly Stage[] } & ListKeys)
  readonly filter: ListFilter
}

/** The lists along which the auctions of a query can be found, at least one. */
function sourcesOf(query: AuctionQuery): readonly ListSource[] {
  const { words = [] } = query
  const keys = keysIn(query)
  const ofStages = stagesOf(query)
  const someStages = ofStages.length < stages.length ? ofStages : undefined
  const ofWords = words.map((word) => {
    const others = words.filter((other) => other !== word)
    return { of: { word }, filter: { words: others, stages: someStages, ...keys } }
  })
  const ofKeys = givenKeys(query).map(([key, value]) => ({
    of: { stages: ofStages, [key]: value },
    filter: { words, ...keys, [key]: undefined },
  }))
  const ofAll = { of: { stages: ofStages }, filter: { words } }
  // The list of all auctions is never shorter than that of a word.
  const hasAll = ofKeys.length === 0 && (someStages !== undefined || words.length === 0)
  return [...ofWords, ...ofKeys, ...(hasAll ? [ofAll] : [])]
}

const isFiltered = ({ filter }: ListSource): boolean =>
  filter.words.length > 0 || filter.stages !== undefined || givenKeys(filter).length > 0

/**
 * Chooses the shortest list. A search of a common word by an owner of a few auctions follows the list of the owner.
 * @param count counts the auctions of each list, up to one more than `maxScannedAuctions`
 * @returns the list, and whether a page must not read all of it
 */
export async function shortestSource(
  query: AuctionQuery,
  count: (sources: readonly ListSource[]) => Promise<readonly number[]>,
): Promise<{ readonly source: ListSource; readonly isBounded: boolean }> {
  const sources = sourcesOf(query)
  const exact = sources.find((source) => !isFiltered(source))
  if (exact !== undefined) return { source: exact, isBounded: false }
  const counts = await count(sources)
  const least = Math.min(...counts)
  const source = sources[counts.indexOf(least)]
  if (source === undefined) throw new RangeError(`there are ${counts.length} counts of ${sources.length} lists`)
  return { source, isBounded: least > maxScannedAuctions }
}
