import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/** Connections without data, from a separate address where the system has several. Closed ones are opened again. */
export type IdleOrder = { readonly port: number; readonly connections: number }

const { port, connections }: IdleOrder = workerData
// Linux accepts every address of 127.0.0.0/8.
const from = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {}
let opened = 0

function open(): void {
  const socket = connect({ port, host: '127.0.0.1', ...from })
  socket.once('connect', () => {
    opened += 1
    if (opened === connections) parentPort?.postMessage('all are open')
  })
  socket.on('error', () => undefined)
  socket.once('close', open)
}

for (let count = 0; count < connections; count++) open()
