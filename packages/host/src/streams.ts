export {
  addEventStreams,
  asksForEvents,
  type EventStreams,
  type StreamSource,
  takeTurn,
} from './streams/event-streams.ts'
export { type EventStream, encodeFrame } from './streams/open-stream.ts'
