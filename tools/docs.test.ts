import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('{docs/**,packages/*}/*.md')]
const snippets = pages.flatMap((page) => {
  const found = readFileSync(page, 'utf8').matchAll(/<!-- file: (?<file>\S+) -->\n```\w+\n(?<code>[\s\S]*?)```/g)
  return [...found].map(({ groups }) => ({ page, file: groups?.['file'] ?? '', code: groups?.['code'] }))
})

describe('documentation', () => {
  // A snippet of a file is type-checked, formatted and run with the file.
  test.each(snippets)('$page shows $file unchanged', ({ file, code }) => {
    expect(code).toBe(readFileSync(file, 'utf8'))
  })

  test('snippets are found', () => {
    expect(snippets).not.toEqual([])
  })

  test.each(pages)('the links of %s are valid', (page) => {
    const text = readFileSync(page, 'utf8')
    const targets = [...text.matchAll(/\]\((?!https?:)(?<path>[^)#]*)(?:#(?<heading>[^)]*))?\)/g)]
    const broken = targets.filter(({ groups }) => {
      const path = groups?.['path'] ? join(dirname(page), groups['path']) : page
      return !exists(path) || (groups?.['heading'] && !headings(path).includes(groups['heading']))
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  test.each(pages)('the files that %s names exist', (page) => {
    const missing = pathsIn(page).filter(([, path = '']) => !exists(path))
    expect(missing.map(([name]) => name)).toEqual([])
  })

  test('a bid passes through the number of files on its page', () => {
    const page = 'docs/explanation/how-a-bid-is-recorded.md'
    const [, count] = /passes through (\d+) files/.exec(readFileSync(page, 'utf8')) ?? []
    const steps = [...readFileSync(page, 'utf8').matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path]) => path)
    expect(steps.length).toBe(Number(count))
    expect(new Set(steps).size).toBe(steps.length)
  })
})

/** The sources that a page names by their paths from the workspace's root. */
const pathsIn = (page: string) => [...readFileSync(page, 'utf8').matchAll(/`((?:apps|packages|tools)\/[^`\s]*\.\w+)`/g)]

const exists = (path: string) => globSync(path).length > 0

/** The anchors of the page's headings when it is rendered. */
const headings = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
