import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runChild, startChild } from '../../../../tools/vitest/child.ts'
import { followPage } from './follow-page.ts'
import { leastNodeOf, manifestIn, namesOf, packages, sourcesOf } from './packages.ts'
import { openTerminal, root, strangersEnvironment } from './terminal.ts'
import { resolutions, typeErrors } from './type-check.ts'

const leastNode = leastNodeOf(manifestIn(root))
const home = mkdtempSync(join(tmpdir(), 'published-'))
const nodeFolder = join(home, 'node/node_modules/.bin')
const environment = strangersEnvironment(nodeFolder)
const terminal = await openTerminal(home, nodeFolder)

const run = (file: string, parameters: readonly string[], cwd: string) =>
  runChild(file, parameters, { cwd, env: environment })
const tool = (name: string, parameters: readonly string[]) =>
  runChild(join(root, 'node_modules/.bin', name), parameters, { cwd: root })

/** The tarballs, created by the command in the docs. */
const tarball = (name: string) => join(root, `tarballs/auction-${name}-${manifestIn(root).version}.tgz`)

/**
 * Two projects: one follows the README of the domain, the other that of the adapters. The latter finally has the
 * drivers.
 */
const withoutDriver = join(home, 'my-auctions')
const withDriver = join(home, 'my-store')
const installed = (project: string, name: string) => join(project, 'node_modules/@auction', name)

beforeAll(async () => {
  symlinkSync(root, join(home, 'auction-service'))
  mkdirSync(join(home, 'node'))
  await run('npm', ['install', '--prefer-offline', `node@${leastNode}`], join(home, 'node'))
  await followPage('packages/domain/README.md', terminal)
  await followPage('packages/delivery/README.md', terminal)
  await followPage('packages/adapters/README.md', terminal)
  await followPage('packages/client/README.md', terminal)
})

afterAll(() => rmSync(home, { recursive: true }))

describe('pages', () => {
  test(`work on the minimum Node.js of the packages, ${leastNode}`, async () => {
    await terminal.run('node --version')
    expect(await terminal.printed(0)).toBe(`v${leastNode}\n`)
  })

  test.each(['docs/tutorial/use-cases-in-memory.md', 'docs/tutorial/domain-in-your-service.md'])(
    '%s works as described',
    async (page) => {
      await followPage(page, terminal)
    },
  )
})

const hasMariadb = (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'mariadbd')))

test.skipIf(!hasMariadb && process.env['REQUIRE_MARIADB'] !== '1')(
  'a store of an SQL database passes all suites and a race with the files of a page alone (on MariaDB)',
  async () => {
    const printed = async () => stripVTControlCharacters(await terminal.printed(0))
    await followPage('docs/how-to/write-an-sql-store.md', terminal)
    expect(await printed()).toMatch(/Tests +\d{3} passed \(\d{3}\)/)
    copyFileSync(join(import.meta.dirname, 'pages/sql-store/race.test.ts'), join(terminal.folder(), 'race.test.ts'))
    await terminal.run('npx vitest run race.test.ts --testTimeout 120000')
    expect(await printed()).toMatch(/Tests +1 passed/)
  },
)

test(`their code uses only features of Node.js ${leastNode}`, async () => {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const config = join(import.meta.dirname, 'sources.vitest.config.ts')
  const { stdout } = await run('node', [vitest, 'run', '--config', config, '--reporter', 'dot', '--no-color'], root)
  expect(stdout).toMatch(/Tests +\d+ passed \(\d+\)/)
})

describe.each(packages)('%s', (name) => {
  const folder = installed(withoutDriver, name)

  test('has its licence, changelog and readme', () => {
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'))
    // A new package has no released version.
    const headings = [`## [${manifestIn(folder).version}] - `, '## [Unreleased]']
    const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')
    expect(headings.filter((heading) => changelog.includes(heading))).not.toEqual([])
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain(`# @auction/${name}\n`)
  })

  test('has the files of its exports and the sources of its maps', () => {
    const exported = Object.values(manifestIn(folder).exports).flatMap((conditions) => Object.values(conditions))
    const maps = globSync('dist/**/*.map', { cwd: folder })
    const mapped = maps.flatMap((map) => {
      const { sources }: { readonly sources: readonly string[] } = JSON.parse(readFileSync(join(folder, map), 'utf8'))
      return sources.map((source) => join(dirname(map), source))
    })
    expect(maps.length).toBeGreaterThan(exported.length / 2)
    expect([...exported, ...mapped].filter((file) => !existsSync(join(folder, file)))).toEqual([])
  })

  test('depends on nothing of the workspace, and on the same Node.js, or an earlier one if it is for clients', () => {
    const { dependencies, peerDependencies, engines } = manifestIn(folder)
    expect(Object.values({ ...dependencies, ...peerDependencies }).join()).not.toMatch(/workspace|link|file/)
    expect(engines).toEqual(name === 'client' ? { node: '>=20' } : manifestIn(root).engines)
  })

  test('is packed equally by npm and pnpm', async () => {
    const byNpm = join(home, 'by-npm')
    mkdirSync(byNpm, { recursive: true })
    await run('npm', ['pack', '--pack-destination', byNpm], sourcesOf(name))
    const filesIn = async (folder: string) =>
      (await run('tar', ['tzf', join(folder, `auction-${name}-${manifestIn(root).version}.tgz`)], home)).stdout
        .split('\n')
        .toSorted()
    expect(await filesIn(byNpm)).toEqual(await filesIn(join(root, 'tarballs')))
  })

  test('passes publint', async () => {
    expect((await tool('publint', [tarball(name), '--strict'])).stdout).toContain('All good!')
  })

  test('has types that resolve in every mode, by attw', async () => {
    const { stdout } = await tool('attw', [tarball(name), '--profile', 'esm-only', '--format', 'json'])
    expect(JSON.parse(stdout)).toMatchObject({ analysis: { packageName: `@auction/${name}` } })
  })
})

const drivers = [
  { name: '@auction/adapters/mongodb', driver: 'mongodb', connect: 'connectMongoStore', database: 'MongoDB' },
  { name: '@auction/adapters/postgresql', driver: 'pg', connect: 'connectPostgresqlStore', database: 'PostgreSQL' },
]
const allNames = packages.flatMap(namesOf)
const namesWithoutDriver = allNames.filter((name) => !drivers.some((one) => one.name === name))

/** A module that imports everything under these names. */
const importsOf = (names: readonly string[]): string =>
  names.map((name, index) => `export * as module${index} from '${name}'\n`).join('')

describe('types', () => {
  // The store of an SQL database has another project.
  const pages = globSync(join(import.meta.dirname, 'pages/**/*.ts')).filter((page) => !page.includes('sql-store'))
  const pageFiles = pages.map((page) => basename(page))
  const resolution = Object.keys(resolutions) as (keyof typeof resolutions)[] // All names of `resolutions`.

  beforeAll(() => {
    writeFileSync(join(withoutDriver, 'imports.ts'), importsOf(namesWithoutDriver))
    writeFileSync(join(withDriver, 'imports.ts'), importsOf(allNames))
    for (const page of pages) copyFileSync(page, join(withDriver, basename(page)))
    writeFileSync(join(withoutDriver, 'wrong.ts'), "import { toUserId } from '@auction/domain/ids'\ntoUserId('7')\n")
  })

  test.each(resolution)(
    'are valid under the strictest settings and %s, without Node.js and the drivers',
    async (resolution) => {
      expect(await typeErrors(withoutDriver, { resolution, host: 'browser', files: ['imports.ts'] })).toBe('')
    },
  )

  test.each(resolution)(
    'are valid under the strictest settings and %s, with both, as is the code of pages',
    async (resolution) => {
      expect(pageFiles.length).toBeGreaterThan(6)
      expect(await typeErrors(withDriver, { resolution, host: 'node', files: ['imports.ts', ...pageFiles] })).toBe('')
    },
  )

  test('are checked', async () => {
    const errors = await typeErrors(withoutDriver, { resolution: 'nodenext', host: 'browser', files: ['wrong.ts'] })
    expect(errors).toContain('wrong.ts(2,10): error TS2345')
  })
})

/** Runs a module in a project, and returns its error. */
async function errorOf(project: string, source: string): Promise<string> {
  writeFileSync(join(project, 'fails.mjs'), source)
  const { exited, stderr } = startChild('node', ['fails.mjs'], { cwd: project, env: environment })
  await exited()
  return stderr()
}

describe('imports', () => {
  test('need no driver, except those of servers', async () => {
    writeFileSync(join(withoutDriver, 'imports.mjs'), importsOf(namesWithoutDriver))
    writeFileSync(join(withoutDriver, 'count.mjs'), "console.log(Object.keys(await import('./imports.mjs')).length)")
    expect((await run('node', ['count.mjs'], withoutDriver)).stdout).toBe(`${namesWithoutDriver.length}\n`)
  })

  test.each(drivers)('of $database report the missing driver', async ({ name, driver }) => {
    expect(await errorOf(withoutDriver, `import '${name}'`)).toContain(`Cannot find package '${driver}'`)
  })

  test.each(drivers)('of $database find the driver if it is installed', async ({ name, connect, database }) => {
    const source = `import { ${connect} } from '${name}'\nawait ${connect}('http://db')`
    expect(await errorOf(withDriver, source)).toContain(`Error: the ${database} URI must have the form`)
  })
})

test('all dependencies have licences that are compatible with MIT', () => {
  const manifests = globSync('node_modules/**/package.json', { cwd: withDriver }).map((file) =>
    dirname(join(withDriver, file)),
  )
  const licensed = manifests.map(manifestIn).filter(({ name, version }) => name !== undefined && version !== undefined)
  const permissive = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', '0BSD']
  expect(licensed.length).toBeGreaterThan(10)
  expect(licensed.filter(({ license }) => !permissive.includes(license)).map(({ name }) => name)).toEqual([])
})
