/** A value that is there, or will be. */
export type Eventually<Value> = Value | Promise<Value>

/** Goes on with a value: at once if it is there, as waiting for nothing would cost each request a turn of the queue. */
export const after = <Value, Next>(
  value: Eventually<Value>,
  next: (value: Value) => Eventually<Next>,
): Eventually<Next> => (value instanceof Promise ? value.then(next) : next(value))
