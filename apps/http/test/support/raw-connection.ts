import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import {
  type RawConnection,
  rawConnection as rawConnectionTo,
  requestBytes,
} from '../../../../tools/vitest/raw-connection.ts'
import { expectProblemsAsDocumented } from '../contract/expect-as-documented.ts'
import { anonymousOf, newAuction } from './client.ts'
import type { TestServer } from './server.ts'
import { jsonHeaders } from './tokens.ts'

export { type RawConnection, requestBytes, statusesIn } from '../../../../tools/vitest/raw-connection.ts'

/** A request to create an auction. */
export const creation = requestBytes('POST', '/api/Auctions', jsonHeaders, JSON.stringify(newAuction))

/** A connection to the service. The OpenAPI document must declare the received failures. */
export const rawConnection = (port: number): Promise<RawConnection> => rawConnectionTo(port, expectProblemsAsDocumented)

/** Sends bytes on a new connection. Returns everything that it receives until the server ends it. */
export async function exchange(port: number, bytes: string): Promise<string> {
  const { write, ended } = await rawConnection(port)
  write(bytes)
  return ended()
}

// During each round trip, the server writes as much as possible.
const roundTrips = 10

/**
 * Sends requests on a connection that does not read, each after the previous response is sent, until a response cannot be sent
 * completely. Returns the number of requests. The server must receive no other requests in the meantime.
 */
export async function stallReader(server: TestServer, connection: RawConnection, bytes: string): Promise<number> {
  connection.socket.pause()
  for (let count = 1; ; count++) {
    const requested = once(server.app.server, 'request')
    connection.write(bytes)
    // The cast: `once` does not type events.
    const response = (await requested)[1] as ServerResponse
    for (let times = 0; times < roundTrips && !response.writableFinished; times++) {
      await anonymousOf(server).get('/livez')
    }
    if (!response.writableFinished) return count
  }
}
