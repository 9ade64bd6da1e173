import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { runChild } from '../../../../../tools/vitest/child.ts'
import { longTest } from '../../../../../tools/vitest/long-test.ts'

const packages = fileURLToPath(new URL('../../../../', import.meta.url))
const folder = fileURLToPath(new URL('./raffle/', import.meta.url))

/** A copy of the domain and of the store in memory, in which the raffle is one folder and one row. */
function copyWithRaffle(): string {
  const root = mkdtempSync(join(tmpdir(), 'raffle-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const formats = join(root, 'domain/src/auction/formats')
  cpSync(join(packages, 'domain/src'), join(root, 'domain/src'), { recursive: true })
  cpSync(join(packages, 'adapters/src/memory'), join(root, 'adapters/src/memory'), { recursive: true })
  cpSync(join(packages, 'delivery/src'), join(root, 'delivery/src'), { recursive: true })
  for (const name of ['domain', 'adapters', 'delivery'])
    cpSync(join(packages, name, 'package.json'), join(root, name, 'package.json'))
  symlinkSync(join(packages, 'domain/node_modules'), join(root, 'domain/node_modules'))
  mkdirSync(join(root, 'node_modules/@auction'), { recursive: true })
  for (const name of ['domain', 'adapters', 'delivery'])
    symlinkSync(join(root, name), join(root, 'node_modules/@auction', name))
  symlinkSync(join(packages, '../node_modules/@types'), join(root, 'node_modules/@types'))
  mkdirSync(join(formats, 'raffle'))
  for (const file of ['raffle.ts', 'sale.ts']) {
    const source = readFileSync(join(folder, file), 'utf8')
    writeFileSync(
      join(formats, 'raffle', file),
      source
        .replaceAll("'../../../../src/auction/formats/", "'../")
        .replaceAll("'../../../../src/auction/", "'../../")
        .replaceAll("'../../../../src/", "'../../../"),
    )
  }
  const table = join(formats, 'formats.ts')
  const row = readFileSync(table, 'utf8').replace(
    'formats = { english, sealed, falling }',
    'formats = { english, sealed, falling, raffle }',
  )
  writeFileSync(table, `import { raffle } from './raffle/raffle.ts'\n${row}`)
  const options = { noEmit: true, types: ['node'], rootDir: '..' }
  const config = {
    extends: join(packages, '../tsconfig.base.json'),
    compilerOptions: options,
    include: ['src', '../delivery/src'],
  }
  writeFileSync(join(root, 'domain/tsconfig.json'), JSON.stringify(config))
  return join(root, 'domain')
}

const run = (cwd: string, ...command: readonly string[]) => runChild(process.execPath, command, { cwd })

longTest('a format is one folder and one row: the package compiles with a raffle', async () => {
  await run(copyWithRaffle(), join(packages, '../node_modules/typescript/bin/tsc'), '-p', '.')
})

test('a format is one folder and one row: a raffle sells tickets, draws a winner and is verified', async () => {
  const { stdout } = await run(copyWithRaffle(), '--conditions=@auction/source', 'src/auction/formats/raffle/sale.ts')
  const result = { outcome: 'sold', bidId: expect.any(Number), winnerId: 3, priceMinor: 500 }
  expect(JSON.parse(stdout)).toStrictEqual({
    status: 'Ended',
    result,
    verification: { entries: 4 },
    corrections: {
      raffle: true,
      english: { pointer: '/minimumBidIncrement', message: expect.stringContaining('must be a JSON number above 0') },
      foreign: { pointer: '/reservePrice', message: 'is not a field of this auction' },
    },
  })
})
