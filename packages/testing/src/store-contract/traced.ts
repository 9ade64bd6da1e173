import type { Store } from '@auction/domain/store'

type Handles = {
  readonly store: Store
  readonly openSecondHandle?: () => Promise<Store>
  readonly reopen?: () => Promise<Store>
}

/** Remembers what the last operation of any handle returned, so that a failed assertion can name the operation. */
export function createTrace() {
  let last: { readonly operation: string; readonly value: unknown } | undefined

  function traced(store: Store): Store {
    function get(_: object, name: string | symbol): unknown {
      const member: unknown = Reflect.get(store, name)
      if (typeof member !== 'function') return member
      return (...args: readonly unknown[]): unknown => {
        const returned: unknown = member.apply(store, args)
        const note = (value: unknown) => {
          last = { operation: String(name), value }
        }
        if (returned instanceof Promise) returned.then(note, () => undefined)
        return returned
      }
    }
    // The cast: it has the members of the store. The store itself may be frozen, which its proxy could not change.
    return new Proxy({}, { get }) as Store
  }

  const opening = (open: () => Promise<Store>) => async () => traced(await open())

  return {
    nameOf: (value: unknown): string => (last && Object.is(last.value, value) ? `${last.operation} returned ` : ''),
    ofSubject: <Subject extends Handles>(subject: Subject): Subject => ({
      ...subject,
      store: traced(subject.store),
      ...(subject.openSecondHandle && { openSecondHandle: opening(subject.openSecondHandle) }),
      ...(subject.reopen && { reopen: opening(subject.reopen) }),
    }),
  }
}
