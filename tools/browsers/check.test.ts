import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { oldestBrowsers, unsupportedIn } from './check.ts'

const lackedBy = (code: string, file = 'page.js') => unsupportedIn({ [file]: code })

test.each([
  ["URL.parse('x')", 'URL.parse'],
  ["const url = globalThis.URL?.parse('x')", undefined],
  ["URL.canParse('x')", undefined],
  ['new URLPattern({})', 'URLPattern'],
  ['first.union(second)', 'first.union'],
  ["document.querySelector('p').moveBefore(one, other)", '….moveBefore'],
  ['const sets = { union: join }; sets.union()', undefined],
  ['requestIdleCallback(run)', 'requestIdleCallback'],
  ['const run = (scheduler) => scheduler.add()', undefined],
  ["new Intl.DurationFormat('en')", 'Intl.DurationFormat'],
  ['element.replaceChildren(); [1].at(-1)', undefined],
])('%s: a supported browser lacks %s', (code, name) => {
  expect(lackedBy(code).map((line) => line.split(' ').at(-1))).toEqual(name === undefined ? [] : [name])
})

test('types are not checked, and the line is shown', () => {
  expect(
    lackedBy('type Own = URLPattern\nexport const has = (url: URLPattern) => url as Own\nscheduler', 'a.ts'),
  ).toEqual(['a.ts:3: a supported browser lacks scheduler'])
})

test.each(['docs/how-to/embed-the-page.md', 'packages/client/README.md'])('%s names the oldest browsers', (page) => {
  const { chrome, firefox, safari } = oldestBrowsers
  const text = readFileSync(page, 'utf8')
  expect(text).toContain(`Chrome and Edge ${chrome}, Firefox ${firefox} and Safari ${safari}`)
})
