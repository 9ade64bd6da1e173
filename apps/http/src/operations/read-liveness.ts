import { accepted } from '@auction/domain/result'
import * as v from 'valibot'
import { probePaths } from '../server/probe-paths.ts'
import { defineProbe } from './define-operation.ts'
import { success } from './example.ts'

const message = 'The server runs.'

export const readLiveness = defineProbe({
  name: 'readLiveness',
  method: 'GET',
  path: probePaths.live,
  tag: 'Health',
  summary: 'Ask whether the server runs',
  description:
    'For whoever restarts a server that hangs. It is answered as long as the process runs, also while the store is gone.',
  success: { status: 200, description: 'The server runs.', data: v.object({}) },
  refusals: {},
  run: async () => accepted({ message, data: {} }),
  examples: [{ summary: 'A server that runs', request: {}, answer: success(200, message, {}) }],
})
