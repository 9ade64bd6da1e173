import { expect, test } from 'vitest'
import { createProgress } from '../src/progress.ts'

async function warningsOf(openingMs: number) {
  const warnings: string[] = []
  let nowMs = 0
  const bodies: (() => Promise<void>)[] = []
  const runner = {
    describe: () => undefined,
    test: (_: string, body: () => Promise<void>) => bodies.push(body),
    expect,
    warn: (text: string) => warnings.push(text),
  }
  const { counting, measured } = createProgress(runner, () => nowMs)
  const makeSubject = measured(async () => {
    nowMs += openingMs
  })
  for (let index = 0; index < 20; index++) counting.test(`test ${index}`, makeSubject)
  for (const body of bodies) await body()
  return warnings
}

test('a suite whose store takes 5 s to open reports that at the first test, with a remedy, and then its progress', async () => {
  expect(await warningsOf(5_000)).toEqual([
    'Opening a store took 5.0 s, and the suite has 20 tests. Without reuseSubjects of @auction/testing/reused-subjects, each opens one.',
    '6 of 20 tests of the suite have begun in 30.0 s; opening stores took 30.0 s of it.',
    '12 of 20 tests of the suite have begun in 60.0 s; opening stores took 60.0 s of it.',
    '18 of 20 tests of the suite have begun in 90.0 s; opening stores took 90.0 s of it.',
  ])
})

test('a suite whose store opens quickly reports nothing', async () => {
  expect(await warningsOf(900)).toEqual([])
})
