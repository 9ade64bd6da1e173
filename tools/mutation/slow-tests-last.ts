import { BaseSequencer, type TestSpecification } from 'vitest/node'

const isSlow = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/simulation/')

/** A mutant is dead with the first test that fails: what takes seconds runs only for those that all others let live. */
export class SlowTestsLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter((file) => !isSlow(file)), ...sorted.filter(isSlow)]
  }
}
