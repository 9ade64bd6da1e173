import { systemClock } from '@auction/adapters/system'
import { createDelivery, type Delivery, type ReplayRange } from '@auction/delivery'
import { createAuctionService } from '@auction/domain'
import { AuctionId } from '@auction/domain/ids'
import { parseMoment } from '@auction/domain/moment'
import * as v from 'valibot'
import { createViewers } from '../api/callers/caller.ts'
import { createWebhookSubscriber } from '../api/webhooks/webhooks.ts'
import { readConfiguration } from '../configuration/read-configuration.ts'
import type { WebhookEndpoint } from '../configuration/webhooks.ts'
import { fail, print } from '../process/terminal.ts'
import { withStore } from './with-store.ts'

/**
 * Posts events to endpoints again, whether they were received or not, and prints their number. A server may run
 * meanwhile.
 * @param what The events: those of an auction, or those of a time.
 * @param only The name of the only endpoint; otherwise all.
 */
export async function replay(what: string, only: string | undefined): Promise<void> {
  const reading = readConfiguration(process.env)
  if (!reading.ok) return fail(...reading.faults, ...reading.warnings)
  const { webhooks, store, pseudonymSecret, limits } = reading.configuration
  const range = rangeOf(what)
  if (range === undefined) return fail(`--replay: ${rangeRule}`)
  const endpoints = webhooks.filter(({ name }) => only === undefined || name === only)
  if (webhooks.length === 0) return fail('--replay: no endpoint is configured; set WEBHOOK_URL or WEBHOOKS')
  if (endpoints.length === 0) return fail(`--webhook: must be one of ${webhooks.map(({ name }) => name).join(', ')}`)

  await withStore('--replay', store, async (opened) => {
    const { checkpoints } = opened
    const service = createAuctionService({ store: opened, clock: systemClock, limits })
    const delivery = createDelivery({ service, checkpoints })
    for (const endpoint of endpoints) await replayTo(endpoint, delivery, range, pseudonymSecret)
    await delivery.close()
    await service.close()
  })
}

const rangeRule = 'must be the id of an auction, a time such as 2030-01-31T12:00:00Z, or two times separated by a slash'

/** A range of two times includes both. A single time begins a range that ends now. */
function rangeOf(what: string): ReplayRange | undefined {
  if (/^\d+$/.test(what)) {
    const { success, output } = v.safeParse(AuctionId, Number(what))
    return success ? { auctionId: output } : undefined
  }
  const [since = '', until, ...more] = what.split('/')
  const sinceMs = parseMoment(since)?.epochMs
  const untilMs = until === undefined ? Date.now() : parseMoment(until)?.epochMs
  return sinceMs === undefined || untilMs === undefined || more.length > 0 ? undefined : { sinceMs, untilMs }
}

async function replayTo(
  endpoint: WebhookEndpoint,
  { replay }: Pick<Delivery, 'replay'>,
  range: ReplayRange,
  pseudonymSecret: string | undefined,
): Promise<void> {
  const { publicViewer } = createViewers(pseudonymSecret)
  const subscriber = createWebhookSubscriber(endpoint, { clock: systemClock, publicViewer })
  let lastFailure: string | undefined
  const deliver: typeof subscriber.deliver = async (event, attempt) => {
    const delivery = await subscriber.deliver(event, attempt)
    if (!delivery.ok) lastFailure = delivery.reason
    return delivery
  }
  const { delivered, failed } = await replay({ ...subscriber, deliver }, range)
  subscriber.close()
  print(`${endpoint.name}: ${delivered} ${delivered === 1 ? 'event' : 'events'} delivered`)
  if (failed > 0) fail(`${endpoint.name}: ${failureText(range, failed, lastFailure)}`)
}

function failureText(range: ReplayRange, failed: number, lastFailure: string | undefined): string {
  if ('auctionId' in range && lastFailure === undefined) {
    return `auction ${range.auctionId} does not exist or cannot be read`
  }
  const auctions = failed === 1 ? '1 auction has' : `${failed} auctions have`
  const reason = lastFailure === undefined ? 'their data cannot be read' : `the last failure was: ${lastFailure}`
  return `${auctions} undelivered events; ${reason}`
}
