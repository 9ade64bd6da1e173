import type { Measurement, NotMeasured } from '../measure/measurement.ts'
import type { MemoryFindings } from '../memory/section.ts'
import type { Environment } from './environment.ts'
import type { Target } from './targets.ts'

/** Everything that a run found out, as it is written to results.json. */
export type Results = {
  readonly environment: Environment
  readonly options: {
    readonly sections: readonly string[]
    readonly clients: readonly number[]
    readonly connections: number
    readonly due: number
    readonly seconds: number
    readonly warmupSeconds: number
    readonly rounds: number
    readonly httpRounds: number
  }
  readonly targets: readonly Target[]
  readonly measurements: readonly Measurement[]
  readonly notMeasured: readonly NotMeasured[]
  readonly memory: readonly MemoryFindings[]
  readonly notes: readonly string[]
}
