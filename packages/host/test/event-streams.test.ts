import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { asksForEvents } from '../src/streams/event-streams.ts'

// A regular expression whose time grew with the square of the length took minutes for these.
test('events are found in a long Accept header', () => {
  const accept = `text/event-stream${' '.repeat(7_000)}x;${' '.repeat(7_000)}x`
  const asked = Array.from({ length: 1_000 }, () => asksForEvents({ headers: { accept } } as FastifyRequest))
  expect(new Set(asked)).toEqual(new Set([false]))
})
