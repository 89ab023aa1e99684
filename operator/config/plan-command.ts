import { defineCommand, deploymentOptions } from '../command.ts'
import { CommandFailure } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { fileOptions, type Plan, preparePlan } from './prepare.ts'
import { planToJson, showPlan } from './show.ts'

export const planCommand = defineCommand({
  summary: 'Show the changes that "apply" would make',
  options: { ...fileOptions, ...deploymentOptions },
  async run({ values, terminal, environment }) {
    const { changes, problems, unset } = await preparePlan(values, environment, terminal)
    showPlan(changes, terminal)
    terminal.printJson({ changes: planToJson(changes), problems, unsetVariables: unset })
    rejectProblems({ problems, unset }, terminal)
    return 0
  },
})

/** Warns of variables that are not set. @throws {CommandFailure} if the plan is refused. */
export function rejectProblems({ problems, unset }: Pick<Plan, 'problems' | 'unset'>, terminal: Terminal) {
  if (unset.length > 0) terminal.warn(`Not set, so the stored values are kept: ${unset.join(', ')}`)
  if (problems.length > 0)
    throw new CommandFailure(`The plan is refused: ${problems.join(' ')} Nothing has been changed.`)
}
