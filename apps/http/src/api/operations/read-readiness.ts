import { accepted, refused } from '@auction/domain/result'
import * as v from 'valibot'
import type { Problem } from '../../host/answers/problem.ts'
import { probePaths } from '../../host/server/probe-paths.ts'
import { defineProbe } from './define-operation.ts'
import { success } from './example.ts'

const message = 'The server is ready.'

const draining: Problem = {
  code: 'overloaded',
  message: 'The server is shutting down; send requests to another server.',
}

const storeSilent: Problem = {
  code: 'store-unavailable',
  message: 'The store does not respond or does not accept writes; send requests to another server.',
}

export const readReadiness = defineProbe({
  name: 'readReadiness',
  method: 'GET',
  path: probePaths.ready,
  tag: 'Health',
  summary: 'Check readiness',
  description:
    'For load balancers. The server checks the store at most once a second. After a failed write, the check includes a write.',
  success: {
    status: 200,
    description: 'The store responds and accepts writes, and the server is not shutting down.',
    data: v.object({}),
  },
  refusals: {
    'store-unavailable': 'The store is not open yet, does not respond, or does not accept writes.',
    overloaded: 'The server is shutting down.',
  },
  run: async ({ readiness, lifecycle }) => {
    readiness.noteAsked()
    if (lifecycle.isDraining()) return refused(draining)
    return (await readiness.isReady()) ? accepted({ message, data: {} }) : refused(storeSilent)
  },
  examples: [{ summary: 'A ready server', request: {}, answer: success(200, message, {}) }],
})
