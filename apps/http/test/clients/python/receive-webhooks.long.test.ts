import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startChild } from '../../../../../tools/vitest/child.ts'
import { describeWith, provided } from '../../../../../tools/vitest/needs.ts'
import { openAuction } from '../../support/client.ts'
import { startProcess, startServerProcess, temporaryFolder } from '../../support/server-process.ts'
import { secret as JWT_SECRET } from '../../support/tokens.ts'

const secretOf = () => `whsec_${randomBytes(32).toString('base64')}`
const running = {
  startTime: new Date(Date.now() - 60_000).toISOString(),
  endTime: new Date(Date.now() + 600_000).toISOString(),
}

describeWith('python', 'the receiver of the page', () => {
  test('prints each event once, and refuses messages with another signature', async () => {
    const WEBHOOK_SECRET = secretOf()
    const script = join(import.meta.dirname, 'receive_webhooks.py')
    const receiver = startChild(join(provided('python').programs, 'python'), [script, '0'], { env: { WEBHOOK_SECRET } })
    const [WEBHOOK_URL] = await receiver.until(/^http:\S+/)
    const folder = temporaryFolder()
    const environment = { JWT_SECRET, WEBHOOK_URL, WEBHOOK_SECRET }
    const server = await startServerProcess(environment, { folder })
    const auction = await openAuction(server, running)
    await auction.placeBid({ amount: 100 })
    const { id } = auction
    await receiver.until(new RegExp(`evt_${id}_0 auction.created\nevt_${id}_1 auction.bid\n`))

    const replay = async (secret: string) => {
      const child = startProcess({ ...environment, WEBHOOK_SECRET: secret }, { folder, args: ['--replay', String(id)] })
      await child.until(/delivered\n/)
    }
    // It knows both, even after the signature of another secret.
    await replay(`${secretOf()} ${WEBHOOK_SECRET}`)
    expect(receiver.stdout().match(/evt_/g)).toHaveLength(2)
    const statusOf = async (headers: Record<string, string>, body = '{"type":"auction.ended"}') =>
      (await fetch(WEBHOOK_URL, { method: 'POST', headers, body })).status
    const forged = { 'webhook-id': 'evt_9_9', 'webhook-timestamp': '0', 'webhook-signature': 'v1,AAAA é' }
    expect(await statusOf(forged)).toBe(401)
    expect(await statusOf({})).toBe(401)
    expect(await statusOf(forged, ' '.repeat(65_537))).toBe(413)
    expect(receiver.stderr()).not.toContain('Traceback')
  })
})
