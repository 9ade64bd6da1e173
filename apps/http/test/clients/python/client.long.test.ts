import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runChild } from '../../../../../tools/vitest/child.ts'
import { describeWith, provided } from '../../../../../tools/vitest/needs.ts'
import { clientOf } from '../../support/client.ts'
import { startServer } from '../../support/server.ts'
import { correcting, permissions, tokenOf } from '../../support/tokens.ts'

/** A folder with the client that the generator creates from the document of a server. */
async function madeClient(url: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'auction-client-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const document = await clientOf({ url }).get('/openapi.json')
  await writeFile(join(folder, 'openapi.json'), document.text)
  // The generated client is not formatted. Without the override, the generator warns of CSV, which it then leaves out.
  const overrides = 'content_type_overrides: { text/csv: application/octet-stream }'
  await writeFile(join(folder, 'config.yaml'), `post_hooks: []\n${overrides}\n`)
  const output = join(folder, 'auction_service_client')
  const paths = [
    '--path',
    join(folder, 'openapi.json'),
    '--config',
    join(folder, 'config.yaml'),
    '--output-path',
    output,
  ]
  const options = ['generate', '--meta', 'none', '--fail-on-warning', ...paths]
  await runChild(join(provided('python').programs, 'python'), ['-m', 'openapi_python_client', ...options])
  return folder
}

describeWith('python', 'a Python client generated from the OpenAPI document', () => {
  test('creates an auction, corrects it and places bids', async () => {
    const { url } = await startServer()
    const script = join(import.meta.dirname, 'sell_and_bid.py')
    const times = ['2030-01-31T11:00:00Z', '2030-02-07T12:00:00Z']
    const { stdout } = await runChild(
      join(provided('python').programs, 'python'),
      [script, url, tokenOf('anna', { permissions: [...permissions, correcting] }), ...times],
      { env: { PYTHONPATH: await madeClient(url), PYTHONDONTWRITEBYTECODE: '1' } },
    )
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { auctionId: 1, title: 'Walnut desk', metadata: { lotNumber: '17', color: 'brown' } },
      { bid: 110, currentPrice: 110 },
    ])
  })
})
