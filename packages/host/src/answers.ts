export { described, integerFrom } from './answers/described.ts'
export { addProblems, badRequest, codeOf, type HostProblem, type Problem, sendProblem } from './answers/problem.ts'
export {
  FieldErrorResource,
  type HostProblemCode,
  hostProblemTypes,
  type ProblemHeader,
  type ProblemType,
  titleOf,
} from './answers/problem-types.ts'
export { css, javascript, pageWith, serveFile, type TextFile } from './answers/served-file.ts'
export { addVary, type Success, sendRead, sendSuccess, tagOf } from './answers/success.ts'
export { isWrite, sendAgain, shuttingDown, unknownOutcome } from './answers/unknown-outcome.ts'
