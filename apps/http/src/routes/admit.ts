import type { Permission } from '@auction/domain/permissions'
import type { onRequestHookHandler } from 'fastify'

/** Makes the hooks that decide, one after the other, whether a request may ask for what a route does. */
export type Admit = (permission: Permission) => onRequestHookHandler[]
