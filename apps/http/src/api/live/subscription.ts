import type { Result } from '@auction/domain/result'
import type { Problem } from '../../host/answers/problem.ts'
import type { EventStream } from '../../host/streams/event-streams.ts'

/** What a stream is about, watched from the creation of the subscription on, so that nothing is between its reads and its events. */
export type Subscription = {
  /** Reads what the stream begins with. Undefined if no event follows: the response is not a stream. */
  read(): Promise<Result<Begin | undefined, Problem>>
  /** Continues after the client has read what was unread. */
  resume(): void
  leave(): void
}

/** Writes what the stream begins with, and then what follows. */
type Begin = (stream: EventStream) => void
