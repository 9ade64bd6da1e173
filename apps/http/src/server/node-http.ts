/**
 * What is used of `node:http`. An import of it would read everything that it exports, `WebSocket` too, for which Node loads all
 * of its HTTP client: a tenth of the start.
 */
export const { createServer, METHODS, STATUS_CODES } = process.getBuiltinModule('node:http')
