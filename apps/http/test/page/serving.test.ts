import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bundleClient } from '../../../../tools/client/bundle.ts'
import { anonymousOf } from '../support/client.ts'
import { serverOfFile, startServer } from '../support/server.ts'

const server = await serverOfFile()
const anonymous = anonymousOf(server)

const folder = fileURLToPath(new URL('../../../web/page', import.meta.url))
const files = globSync('**/*.*', { cwd: folder })
const ownUrls = files.map((file) => (file === 'index.html' ? '/' : `/page/${file}`))
/** The files whose import of a package has its URL. */
const importing = ['/page/client.js', '/page/html.js']

/** The files that the page needs, as a browser finds them. */
async function urlsOfPage(): Promise<readonly string[]> {
  const found = new Set(ownUrls)
  for (const url of found) {
    if (!url.endsWith('.js')) continue
    const { text } = await anonymous.get(url)
    for (const [, path = ''] of text.matchAll(/^(?:import|export)\b.* from '(.+)'$/gm))
      found.add(new URL(path, `http://page${url}`).pathname)
  }
  return [...found]
}
const urls = await urlsOfPage()

test('GET / returns a page that loads files of this server only', async () => {
  const page = await anonymous.get('/')
  expect(page.status).toBe(200)
  const { headers } = page
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /)
  expect(policy).toMatch(/frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html$/)
  expect(policy).toContain('; img-src data: https:; ')
  expect(policy.replace('img-src data: https:', '')).not.toMatch(/unsafe|\*|https?:/)
  expect(page.text).not.toMatch(/<script(?! type="module" src=)|<style|\son\w+=|\sstyle=/)
})

/** What a page loads only if it needs it. */
const onDemand =
  /^\/page\/(texts\.(german|managing|sales)|auction-live|selling(\/\w+)?|views\/(chart|checks|correct|(create|registers|sales)(\/\w+)?|fields|manage|registration|staff))\.js$/
/** The client, which is one module where it is built, and has several sources here. */
const client = '/page/client/client.js'
const atOnce = urls.filter((url) => !onDemand.test(url) && (url === client || !url.startsWith('/page/client/')))

test('the page names the files that it needs, so that browsers load them at once', async () => {
  const page = await anonymous.get('/')
  const named = [...page.text.matchAll(/(?:src|href)="(page\/[^"]+)"/g)].map(([, path]) => `/${path}`)
  expect(named.sort()).toEqual(atOnce.filter((url) => url !== '/').sort())
})

test('its own files are served as they are written, but for the names of packages, without a limit, and those of each page are below 75 KB in all', async () => {
  const { url } = await startServer({ environment: { RATE_LIMIT_ANONYMOUS_MAX: '1' } })
  let size = 0
  for (const path of urls) {
    const response = await fetch(`${url}${path}`)
    expect(response.status, path).toBe(200)
    const type = path === '/' ? 'html' : path.endsWith('.css') ? 'css' : 'javascript'
    expect(response.headers.get('content-type'), path).toBe(`text/${type}; charset=utf-8`)
    const text = await response.text()
    if (atOnce.includes(path)) size += gzipSync(path === client ? await bundleClient() : text).length
    if (ownUrls.includes(path) && !importing.includes(path)) {
      expect(text).toBe(readFileSync(`${folder}${path === '/' ? '/index.html' : path.replace('/page', '')}`, 'utf8'))
    }
    const again = await fetch(`${url}${path}`, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })
    expect(again.status, path).toBe(304)
  }
  expect(size).toBeLessThan(75_000)
})

test('PAGE=off serves none of them', async () => {
  const off = anonymousOf(await startServer({ environment: { PAGE: 'off' } }))
  for (const url of urls) expect((await off.get(url)).status, url).toBe(404)
})
