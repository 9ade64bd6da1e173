import { accepted, refused } from '@auction/domain/result'
import * as v from 'valibot'
import type { Problem } from '../answers/problem.ts'
import { probePaths } from '../server/probe-paths.ts'
import { defineProbe } from './define-operation.ts'
import { success } from './example.ts'

const message = 'The server takes requests.'

const draining: Problem = { code: 'overloaded', message: 'The server is shutting down; send requests to another one.' }

const storeSilent: Problem = {
  code: 'store-unavailable',
  message: 'The store does not answer, or takes no writes; send requests to another server, if there is one.',
}

export const readReadiness = defineProbe({
  name: 'readReadiness',
  method: 'GET',
  path: probePaths.ready,
  tag: 'Health',
  summary: 'Ask whether requests should be sent to the server',
  description:
    'For load balancers. The store is asked once a second at most, however often this is asked. After a write that failed, it must take one.',
  success: {
    status: 200,
    description: 'The store answers and takes writes, and the server is not shutting down.',
    data: v.object({}),
  },
  refusals: {
    'store-unavailable': 'The store is not open yet, does not answer, or takes no writes.',
    overloaded: 'The server is shutting down.',
  },
  run: async ({ readiness, lifecycle }) => {
    readiness.noteAsked()
    if (lifecycle.isDraining()) return refused(draining)
    return (await readiness.isReady()) ? accepted({ message, data: {} }) : refused(storeSilent)
  },
  examples: [{ summary: 'A server that is ready', request: {}, answer: success(200, message, {}) }],
})
