import { readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toAuctionId } from '@auction/domain/ids'
import { expect, onTestFinished, test } from 'vitest'
import { runChild } from '../../../../tools/vitest/child.ts'
import { describeWith, provided } from '../../../../tools/vitest/needs.ts'
import { clientOf } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { tokenOf } from '../support/tokens.ts'

// The commands of the page generate clients, and a program with each bids, and reads an auction without and with a result.

/** The first run compiles a generator, and downloads what it and the clients need. */
const buildMs = 600_000

const page = readFileSync(new URL('../../../../docs/how-to/call-as-a-client.md', import.meta.url), 'utf8')
const commands = (/## Generate a client.*?```sh\n(.*?)```/s.exec(page)?.[1] ?? '').replaceAll('\\\n', '').split('\n')

/** The arguments of the command of the page that contains this text. */
const argumentsWith = (text: string): readonly string[] =>
  (commands.find((line) => line.includes(text)) ?? expect.fail(`no command has ${text}`)).split(/ +/).slice(1)

/** A server, and a folder with its document and a copy of the program for a client, in `place`. */
async function prepare(program: string, place = '.'): Promise<{ server: TestServer; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'auction-client-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const server = await startServer()
  const document = await clientOf(server).get('/openapi.json')
  await writeFile(join(folder, 'openapi.json'), document.text)
  await cp(join(import.meta.dirname, program), join(folder, place), { recursive: true })
  return { server, folder }
}

const argumentsFor = ({ url }: TestServer) => [url, tokenOf('anna'), '2030-01-31T11:00:00Z', '2030-02-07T12:00:00Z']

/** Expects what a program prints, and the bid in the ledger. */
async function expectBid({ store }: TestServer, stdout: string): Promise<void> {
  // Maven adds an escape sequence on a second line.
  expect(JSON.parse(stdout.split('\n', 1).join())).toEqual([null, 1_234_567.89, 5_000_000_000, 20_000_000.01])
  const [, bid] = await store.listEntries(toAuctionId(1), { limit: 2 })
  expect(bid?.event).toMatchObject({ bidderId: 5_000_000_000, amountMinor: 123_456_789 })
}

describeWith('python', 'a client of openapi-generator', () => {
  describeWith('maven', 'in Java', () => {
    test('bids, and reads auctions', { timeout: buildMs }, async () => {
      const { server, folder: cwd } = await prepare('java', 'src/main/java')
      // The installed program names the folder in which its environment was made, which has another name now.
      const start = ['-c', 'import openapi_generator_cli; openapi_generator_cli.cli()']
      const options = argumentsWith('--generator-name java')
      await runChild(join(provided('python').programs, 'python'), [...start, ...options], { cwd })
      const goals = ['compiler:compile', 'org.codehaus.mojo:exec-maven-plugin:3.5.0:java']
      const program = ['-Dexec.mainClass=PlaceBid', `-Dexec.args=${argumentsFor(server).join(' ')}`]
      const { stdout } = await runChild(provided('maven').program, ['--quiet', ...goals, ...program], { cwd })
      await expectBid(server, stdout)
    })
  })
})

describeWith('go', 'a client of oapi-codegen', () => {
  test('bids, and reads auctions', { timeout: buildMs }, async () => {
    const { server, folder: cwd } = await prepare('go-oapi-codegen')
    await mkdir(join(cwd, 'client'))
    await runChild(provided('go').program, argumentsWith('oapi-codegen'), { cwd })
    const { stdout } = await runChild(provided('go').program, ['run', '.', ...argumentsFor(server)], { cwd })
    await expectBid(server, stdout)
  })
})
