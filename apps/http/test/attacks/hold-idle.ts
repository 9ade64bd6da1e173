import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/** Connections without data. A connection that the server ends is opened again. */
export type IdleOrder = { readonly port: number; readonly connections: number }

const { port, connections }: IdleOrder = workerData
let opened = 0

function open(): void {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.once('connect', () => {
    opened += 1
    if (opened === connections) parentPort?.postMessage('all are open')
  })
  socket.on('error', () => undefined)
  socket.once('close', open)
}

for (let count = 0; count < connections; count++) open()
