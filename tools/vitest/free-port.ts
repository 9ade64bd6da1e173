export { freePort } from '../../packages/testing/src/free-port.ts'
