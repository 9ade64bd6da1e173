import { readdir, readFile } from 'node:fs/promises'
import { findPackageJSON, stripTypeScriptTypes } from 'node:module'
import { dirname, extname, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { css, javascript, pageWith, serveFile, type TextFile } from '@auction/host/responses'
import type { RateLimit } from '@auction/host/security'
import type { FastifyInstance } from 'fastify'
import { readVersion } from '../version.ts'

// Users paste tokens into this page, so it uses only this server. The style sheet of Swagger UI contains images.
const referencePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const json = { 'content-type': 'application/json; charset=utf-8' }

/** The files of the page by their URLs, each with its headers and a function that finds it. */
const referenceFiles = [
  ['/docs', pageWith(referencePolicy), () => import.meta.resolve('@auction/web/reference/index.html')],
  ['/docs/start.js', javascript, () => import.meta.resolve('@auction/web/reference/start.js')],
  ['/docs/page.css', css, () => import.meta.resolve('@auction/web/reference/page.css')],
  ['/docs/swagger-ui.css', css, () => import.meta.resolve('swagger-ui-dist/swagger-ui.css')],
  ['/docs/swagger-ui-bundle.js', javascript, () => import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')],
] as const

/**
 * Adds the documents of the operations and of the events, and a page that shows the former with Swagger UI. The
 * documents are created and the files are read on the first request.
 */
export function addDocuments(app: FastifyInstance, limit: RateLimit, hasAnonymousReads: boolean): void {
  const createOpenApi = async () => {
    const { createOpenApiDocument } = await import('./openapi/document.ts')
    return { text: JSON.stringify(createOpenApiDocument(readVersion(), hasAnonymousReads)), headers: json }
  }
  const createAsyncApi = async () => {
    const { createAsyncApiDocument } = await import('./asyncapi/document.ts')
    return { text: JSON.stringify(createAsyncApiDocument(readVersion(), hasAnonymousReads)), headers: json }
  }
  serveFile(app, '/openapi.json', 'openapi', createOpenApi, limit)
  serveFile(app, '/asyncapi.json', 'asyncapi', createAsyncApi, limit)
  for (const [url, headers, find] of referenceFiles) {
    const read = async () => ({ text: await readFile(fileURLToPath(find()), 'utf8'), headers })
    serveFile(app, url, 'docs', read, limit)
  }
}

// The web page uses only this server, except for the pictures of auctions. Scripts and styles are files, and only the
// library writes HTML.
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data: https:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html"

const headersByType: Readonly<Record<string, TextFile['headers']>> = {
  '.js': javascript,
  '.ts': javascript,
  '.css': css,
  '.html': pageWith(pagePolicy),
}

/** Where the packages are that two files of the page import by their names. */
const packageUrls = { '@auction/client': './client/client.js', 'lit-html': './lit-html.js' }

/**
 * Adds the web page at `/`, and below `/page` its other files and the modules of the packages that it imports. Each is
 * read on its first request, and served from memory without a limit: together they are smaller than the responses of a
 * list, and a page that misses one of them does not work.
 */
export async function addPage(app: FastifyInstance): Promise<void> {
  for (const [url, file] of await filesOfPage()) {
    const headers = headersByType[extname(file)] ?? {}
    serveFile(app, url, 'page', async () => ({ text: forBrowsers(file, await readFile(file, 'utf8')), headers }))
  }
}

/** The paths of the files, by their URLs. */
async function filesOfPage(): Promise<ReadonlyMap<string, string>> {
  const manifest = fileURLToPath(import.meta.resolve('@auction/web/package.json'))
  const page = join(dirname(manifest), 'page')
  const files = (await readdir(page, { recursive: true })).filter((path) => extname(path) !== '')
  const library = findPackageJSON('lit-html', manifest)
  if (library === undefined) throw new Error('lit-html, which the page needs, is not installed')
  return new Map([
    ...files.map((file) => [file === 'index.html' ? '/' : `/page/${file}`, join(page, file)] as const),
    ...(await modulesOfClient()),
    ['/page/lit-html.js', join(dirname(library), 'lit-html.js')],
  ])
}

/** The client: one module if it is built, else its sources, as in a clone, where nothing is built. */
async function modulesOfClient(): Promise<(readonly [string, string])[]> {
  const entry = fileURLToPath(import.meta.resolve('@auction/client/browser'))
  if (extname(entry) === '.js') return [['/page/client/client.js', entry]]
  const sources = await readdir(dirname(entry))
  return sources.map((name) => [`/page/client/${parse(name).name}.js`, join(dirname(entry), name)] as const)
}

/** A file as browsers can read it: without types, and with URLs instead of the names of packages. */
function forBrowsers(file: string, text: string): string {
  if (extname(file) === '.ts') return stripTypeScriptTypes(text).replaceAll(/ from '(\.\/\w+)\.ts'/g, " from '$1.js'")
  const urls = Object.entries(packageUrls)
  return urls.reduce((replaced, [name, url]) => replaced.replace(` from '${name}'`, ` from '${url}'`), text)
}
