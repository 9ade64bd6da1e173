import { accepted, refused } from '@auction/domain/result'
import type { Problem } from '@auction/host/responses'
import { probePaths } from '@auction/host/server'
import * as v from 'valibot'
import type { Operation } from './operation.ts'

// Health checks need no token, have no rate limit, and work during overload.

const running = { message: 'The server is running.', data: {} }

export const readLiveness: Operation = {
  route: { name: 'readLiveness', method: 'GET', path: probePaths.live },
  docs: {
    tag: 'Health',
    summary: 'Check liveness',
    description:
      'For orchestrators that restart a server that hangs. Returns 200 while the process responds, even if the store does not.',
    success: 'The server is running.',
  },
  schemas: { data: v.object({}) },
  refusals: {},
  connect: () => async () => accepted(running),
  examples: { 'A running server': {} },
}

const ready = { message: 'The server is ready.', data: {} }
const draining: Problem = {
  code: 'overloaded',
  message: 'The server is shutting down; send requests to another server.',
}
const storeSilent: Problem = {
  code: 'store-unavailable',
  message: 'The store does not respond or does not accept writes; send requests to another server.',
}

export const readReadiness: Operation = {
  route: { name: 'readReadiness', method: 'GET', path: probePaths.ready },
  docs: {
    tag: 'Health',
    summary: 'Check readiness',
    description:
      'For load balancers. The server checks the store at most once a second. After a failed write, the check includes a write.',
    success: 'The store responds and accepts writes, and the server is not shutting down.',
  },
  schemas: { data: v.object({}) },
  refusals: {
    'store-unavailable': 'The store is not open yet, does not respond, or does not accept writes.',
    overloaded: 'The server is shutting down.',
  },
  connect:
    ({ readiness, lifecycle }) =>
    async () => {
      readiness.noteProbe()
      if (lifecycle.isDraining()) return refused(draining)
      return (await readiness.isReady()) ? accepted(ready) : refused(storeSilent)
    },
  examples: { 'A ready server': {} },
}
