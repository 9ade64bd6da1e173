import type { IdSource } from '../ports/id-source.ts'
import type { TestRunner } from './runner.ts'
import { type Closable, testsOf } from './subject.ts'

/** A source of ids to be tested, over a store in which no id has been handed out yet. */
export type IdSourceSubject = Closable & {
  readonly ids: IdSource<number>
  /**
   * Opens another source over the same store, with nothing shared in memory: as another process does, or the same one after
   * a restart. Left out where ids live in one process: then there is one source, and it stands for all.
   */
  readonly again?: () => Promise<IdSource<number>>
}

/** What every source of ids must do. */
export function idSourceContract(runner: TestRunner, makeSubject: () => Promise<IdSourceSubject>): void {
  const { describe, expect } = runner
  const test = testsOf(runner, makeSubject)
  const another = async ({ ids, again }: IdSourceSubject) => (again === undefined ? ids : await again())

  const expectIds = (ids: readonly number[], count: number): void => {
    expect(ids.length).toBe(count)
    expect(ids.filter((id) => !Number.isSafeInteger(id) || id < 1)).toEqual([])
    expect(repeated(ids)).toEqual([])
  }

  describe('a source of ids', () => {
    test('hands out integers from 1 to 2^53 - 1, none of them twice', async ({ ids }) => {
      const taken: number[] = []
      for (let count = 0; count < 300; count++) taken.push(await ids.next())
      expectIds(taken, 300)
    })

    test('hands out no id twice when many are asked for at once', async ({ ids }) => {
      expectIds(await take(ids, 300), 300)
    })

    test('hands out no id twice from several sources at once', async (subject) => {
      const sources = [subject.ids, await another(subject), await another(subject)]
      const taken = await Promise.all(sources.map((source) => take(source, 150)))
      expectIds(taken.flat(), 450)
    })

    test('hands out no id twice from several sources in turn', async (subject) => {
      const sources = [subject.ids, await another(subject), await another(subject)]
      const taken: number[] = []
      for (let count = 0; count < 150; count++) {
        for (const source of sources) taken.push(await source.next())
      }
      expectIds(taken, 450)
    })

    test('hands out no id again from sources that are opened later', async (subject) => {
      const taken = [...(await take(subject.ids, 20))]
      for (let restart = 0; restart < 4; restart++) taken.push(...(await take(await another(subject), 20)))
      taken.push(...(await take(subject.ids, 20)))
      expectIds(taken, 120)
    })
  })
}

const take = (source: IdSource<number>, count: number): Promise<readonly number[]> =>
  Promise.all(Array.from({ length: count }, () => source.next()))

const repeated = (ids: readonly number[]): readonly number[] => {
  const seen = new Set<number>()
  return ids.filter((id) => seen.has(id) || !seen.add(id))
}
