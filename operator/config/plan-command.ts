import { defineCommand, deploymentOptions } from '../command.ts'
import { CommandFailure } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { fileOptions, type Plan, preparePlan } from './prepare.ts'
import { planToJson, showPlan } from './show.ts'

/** The exit code of a plan with changes, so that a pipeline can tell drift from a failure. */
const DIFFERS = 3

export const planCommand = defineCommand({
  summary: 'Show the changes that "apply" would make',
  options: {
    ...fileOptions,
    'exit-code': { type: 'boolean', help: 'Exit with 3 if the deployment differs from the file' },
    ...deploymentOptions,
  },
  async run({ values, terminal, environment }) {
    const { changes, problems, unset } = await preparePlan(values, environment, terminal)
    showPlan(changes, terminal)
    terminal.printJson({ changes: planToJson(changes), problems, unsetVariables: unset })
    rejectProblems({ problems, unset }, terminal)
    return values['exit-code'] === true && changes.length > 0 ? DIFFERS : 0
  },
})

/** Reports variables that are not set, and rejects a plan with problems. */
export function rejectProblems({ problems, unset }: Pick<Plan, 'problems' | 'unset'>, terminal: Terminal) {
  if (unset.length > 0)
    terminal.warn(`These variables aren't set, so we keep the stored values: ${unset.join(', ')}`)
  if (problems.length > 0)
    throw new CommandFailure(`We can't apply this plan: ${problems.join(' ')} We didn't change anything.`)
}
