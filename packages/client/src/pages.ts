import { orThrow } from './errors.ts'
import type { Result } from './operations.ts'

type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null }
type Problem = { readonly status: number }

/**
 * The pages of a list, each as its items: `pages((cursor) => client.listBids(7, { cursor }))`. Reads a page when the loop needs it.
 *
 * @throws AuctionClientError if the service refuses a page
 */
export async function* pages<Item>(
  read: (cursor: string | undefined) => Promise<Result<Page<Item>, Problem>>,
): AsyncGenerator<readonly Item[], void> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { items, nextCursor } = orThrow(await read(cursor)).data
    yield items
    cursor = nextCursor
  }
}
