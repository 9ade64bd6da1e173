import {
  type RawConnection,
  rawConnection as rawConnectionTo,
  requestBytes,
} from '../../../../tools/vitest/raw-connection.ts'
import { expectProblemsAsDocumented } from '../contract/expect-as-documented.ts'
import { newAuction } from './client.ts'
import { jsonHeaders } from './tokens.ts'

export { type RawConnection, requestBytes, statusesIn } from '../../../../tools/vitest/raw-connection.ts'

/** A request to create an auction. */
export const creation = requestBytes('POST', '/api/Auctions', jsonHeaders, JSON.stringify(newAuction))

/** A connection to the service. The OpenAPI document must declare the received failures. */
export const rawConnection = (port: number): Promise<RawConnection> => rawConnectionTo(port, expectProblemsAsDocumented)
