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
} from './answers/problem.ts'
export {
  described,
  FieldErrorResource,
  type HostProblemCode,
  hostProblemTypes,
  integerFrom,
  type ProblemHeader,
  type ProblemType,
  titleOf,
} from './answers/problem-types.ts'
export { css, javascript, pageWith, serveFile, type TextFile } from './answers/served-file.ts'
export { addVary, type Success, sendRead, sendSuccess, tagOf } from './answers/success.ts'
