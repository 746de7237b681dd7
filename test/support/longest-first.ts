/**
 * Orders the files of a run. The parts run in the order of the configuration, and in each part the longest files run
 * first, so that all workers are busy until the end.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LONGEST } from '../suite.ts'

/** Returns a file's place among the longest files, or the place after them. */
const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONGEST.findIndex(file => moduleId.endsWith(`/${file}`))
  return place < 0 ? LONGEST.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const partOf = ({ project }: TestSpecification) => this.ctx.projects.indexOf(project)
    const sorted = await super.sort(files)
    return sorted.toSorted(
      (one, other) => groupOf(one) - groupOf(other) || partOf(one) - partOf(other) || placeOf(one) - placeOf(other),
    )
  }
}
