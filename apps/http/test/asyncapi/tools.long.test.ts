import { fileURLToPath } from 'node:url'
import { Parser } from '@asyncapi/parser'
import { expect, test } from 'vitest'
import { asyncApi } from '../contract/message-check.ts'
import { describeBrowser, hangMs, openProfile } from '../support/browser.ts'

const document = JSON.stringify(asyncApi)

test('the parser of AsyncAPI finds nothing in the document', async () => {
  const { diagnostics } = await new Parser().parse(document)
  const found = diagnostics.map(({ code, message, path }) => `${code} at ${path.join('/')}: ${message}`)
  // The document stays at 3.0, because some tools do not read 3.1 yet.
  expect(found.filter((problem) => !problem.startsWith('asyncapi-latest-version'))).toEqual([])
})

describeBrowser('the component of AsyncAPI', () => {
  test('renders each operation and each message of the document', { timeout: 2 * hangMs }, async () => {
    const page = await (await openProfile()).newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.setContent('<div id="events"></div>')
    const bundle = import.meta.resolve('@asyncapi/react-component/browser/standalone/index.js')
    await page.addScriptTag({ path: fileURLToPath(bundle) })
    // A string, because it runs in the page.
    await page.evaluate(`AsyncApiStandalone.render({ schema: ${document} }, document.getElementById('events'))`)
    await page.locator('#operations').waitFor()
    const text = (await page.locator('#events').textContent())?.toLowerCase() ?? ''
    const titles = Object.values(asyncApi.operations).map(({ summary }) => summary)
    const summaries = Object.values(asyncApi.components.messages).map(({ summary }) => summary)
    expect([...titles, ...summaries].filter((shown) => !text.includes(shown.toLowerCase()))).toEqual([])
    expect(text).not.toContain('error')
    expect(errors).toEqual([])
  })
})
