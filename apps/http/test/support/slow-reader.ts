import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { anonymousOf } from './client.ts'
import type { RawConnection } from './raw-connection.ts'
import type { TestServer } from './server.ts'

// In each of them the server writes what can go out.
const roundTrips = 10

/**
 * Sends a request again and again on a connection that reads nothing, each when the answer before has gone out, until an answer does
 * not go out whole. Returns how many were sent. Nothing else may be sent to the server meanwhile.
 */
export async function stallReader(server: TestServer, connection: RawConnection, bytes: string): Promise<number> {
  connection.socket.pause()
  for (let count = 1; ; count++) {
    const requested = once(server.app.server, 'request')
    connection.write(bytes)
    // The cast: `once` knows no types of events.
    const response = (await requested)[1] as ServerResponse
    for (let times = 0; times < roundTrips && !response.writableFinished; times++) {
      await anonymousOf(server).get('/livez')
    }
    if (!response.writableFinished) return count
  }
}
