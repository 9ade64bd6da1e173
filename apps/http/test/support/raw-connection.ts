import { type RawConnection, rawConnection as rawConnectionTo } from '../../../../tools/vitest/raw-connection.ts'
import { expectProblemsAsDocumented } from '../contract/received-answers.ts'

export { type RawConnection, requestBytes, statusesIn } from '../../../../tools/vitest/raw-connection.ts'

/** A connection to the service. The OpenAPI document must declare the received failures. */
export const rawConnection = (port: number): Promise<RawConnection> => rawConnectionTo(port, expectProblemsAsDocumented)
