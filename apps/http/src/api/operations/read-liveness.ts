import { accepted } from '@auction/domain/result'
import * as v from 'valibot'
import { probePaths } from '../../host/server/probe-paths.ts'
import { defineProbe } from './define-operation.ts'
import { success } from './example.ts'

const message = 'The server is running.'

export const readLiveness = defineProbe({
  name: 'readLiveness',
  method: 'GET',
  path: probePaths.live,
  tag: 'Health',
  summary: 'Check liveness',
  description:
    'For orchestrators that restart a server that hangs. Returns 200 while the process responds, even if the store does not.',
  success: { status: 200, description: 'The server is running.', data: v.object({}) },
  refusals: {},
  run: async () => accepted({ message, data: {} }),
  examples: [{ summary: 'A running server', request: {}, answer: success(200, message, {}) }],
})
