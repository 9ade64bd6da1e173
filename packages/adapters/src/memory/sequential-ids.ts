import type { IdSource } from '@auction/domain/ports/id-source'

/** Ids 1, 2, 3 … of this process. */
export function sequentialIds<Id extends number>(): IdSource<Id> & { peek(): Promise<Id> } {
  let last = 0
  return {
    next: async () => ++last as Id, // Counting from 1, as every id does.
    peek: async () => (last + 1) as Id,
  }
}
