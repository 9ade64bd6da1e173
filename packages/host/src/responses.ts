export {
  addProblems,
  badRequest,
  codeOf,
  type HostProblem,
  isWrite,
  type Problem,
  sendAgain,
  sendProblem,
  shuttingDown,
  unknownOutcome,
} from './responses/problem.ts'
export {
  described,
  FieldErrorResource,
  type HostProblemCode,
  hostProblemTypes,
  integerFrom,
  type ProblemHeader,
  type ProblemType,
  titleOf,
} from './responses/problem-types.ts'
export { css, javascript, pageWith, serveFile, type TextFile } from './responses/served-file.ts'
export { addVary, asksFor, type Success, sendCsv, sendRead, sendSuccess, tagOf } from './responses/success.ts'
