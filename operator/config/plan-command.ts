import { command, deploymentOptions } from '../command.ts'
import { Failure } from '../failure.ts'
import { fileOptions, prepare } from './prepare.ts'
import { planAnswer, showPlan } from './show.ts'

export const planCommand = command({
  summary: 'Show what "apply" would do to a deployment',
  options: { ...fileOptions, ...deploymentOptions },
  async run({ values, terminal, environment }) {
    const { changes, problems, unset } = await prepare(values, environment, terminal)
    showPlan(changes, terminal)
    terminal.answer({ changes: planAnswer(changes), problems, unsetVariables: unset })
    if (unset.length > 0) terminal.warn(`Not set, and therefore kept as they are: ${unset.join(', ')}`)
    if (problems.length > 0) throw new Failure(refusalOf(problems))
    return 0
  },
})

export const refusalOf = (problems: readonly string[]) =>
  `This would not be done: ${problems.join(' ')} Nothing has been changed.`
