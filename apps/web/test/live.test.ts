import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import type { Client } from '../page/client/client.js'
import { createLive } from '../page/client/live.js'

test('nothing is lost while no auction is followed', async () => {
  const states: string[] = []
  const noted = new EventTarget()
  // The cast: streams need nothing else of a client. This one never gets a response.
  const client = { base: 'http://auctions.example/', request: () => new Promise(() => undefined) } as unknown as Client
  const live = createLive(client, {
    scope: crypto.randomUUID(),
    onAuction: () => undefined,
    onRefused: () => undefined,
    onState(state) {
      states.push(state)
      noted.dispatchEvent(new Event(state))
    },
  })
  onTestFinished(() => live.close())
  await once(noted, 'over')
  const connecting = once(noted, 'connecting')
  live.watch([3])
  await connecting
  const over = once(noted, 'over')
  live.watch([])
  await over
  expect(states).not.toContain('lost')
  expect(live.isSilent()).toBe(false)
})
