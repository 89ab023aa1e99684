import { command, deploymentOptions } from '../command.ts'
import { Failure, UsageError } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { carryOut } from './carry-out.ts'
import type { Change } from './plan.ts'
import { refusalOf } from './plan-command.ts'
import { fileOptions, prepare } from './prepare.ts'
import { deletionsOf, nameOf, planAnswer, showPlan } from './show.ts'

export const applyCommand = command({
  summary: 'Make a deployment as a settings file says',
  options: {
    ...fileOptions,
    yes: { type: 'boolean', help: 'Ask nothing; needed where nobody can be asked' },
    'allow-delete': { type: 'boolean', help: 'With --yes: also delete what the file leaves out' },
    ...deploymentOptions,
  },
  notes: 'It stops at the first step that fails, and says what was done. It is safe to run again.',
  async run({ values, terminal, environment }) {
    const { deployment, current, secrets, changes, problems, unset } = await prepare(
      values,
      environment,
      terminal,
    )
    showPlan(changes, terminal)
    if (unset.length > 0) terminal.warn(`Not set, and therefore kept as they are: ${unset.join(', ')}`)
    if (problems.length > 0) throw new Failure(refusalOf(problems))
    if (changes.length === 0) {
      terminal.answer({ done: [], failed: null, notDone: [] })
      return 0
    }
    if (!(await agreed(values, changes, terminal))) throw new Failure('Nothing has been changed.')

    const tools = { deployment, secrets, scopeIds: current.scopeIds, factories: current.factories }
    for (const [index, change] of changes.entries()) {
      terminal.status(`${index + 1}/${changes.length} ${nameOf(change)} ...`)
      try {
        await carryOut(change, tools)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return stopped(changes, index, error, terminal)
      }
      terminal.say(`${terminal.paint('green', done[change.action])} ${nameOf(change)}`)
    }
    terminal.say(`Done: ${deployment.origin} is as the file says.`)
    terminal.answer({ done: planAnswer(changes), failed: null, notDone: [] })
    return 0
  },
})

const done = { create: 'created', change: 'changed', delete: 'deleted' } as const

type Given = { yes?: boolean | undefined; 'allow-delete'?: boolean | undefined }

async function agreed(values: Given, changes: readonly Change[], terminal: Terminal): Promise<boolean> {
  const deletions = deletionsOf(changes)
  const lost = `${deletions.length} to delete: ${deletions.map(nameOf).join(', ')}`
  if (values.yes) {
    if (deletions.length === 0 || values['allow-delete']) return true
    throw new UsageError(`${lost}. With --yes, deletions need --allow-delete. Nothing has been changed.`)
  }
  if (!terminal.isInteractive || terminal.isJson)
    throw new UsageError('Nobody can be asked here: give --yes. Nothing has been changed.')
  if (deletions.length > 0) terminal.warn(lost)
  return terminal.confirm('Apply these changes?')
}

function stopped(changes: readonly Change[], index: number, error: Failure, terminal: Terminal): number {
  const [failed, ...notDone] = changes.slice(index)
  if (!failed) return 1
  terminal.warn(`Failed at ${nameOf(failed)}: ${error.message}`)
  terminal.warn(
    `${index} of ${changes.length} done; not done: ${[failed, ...notDone].map(nameOf).join(', ')}. Run it again when it is mended.`,
  )
  terminal.answer({
    done: planAnswer(changes.slice(0, index)),
    failed: { ...planAnswer([failed])[0], reason: error.message },
    notDone: planAnswer(notDone),
  })
  return 1
}
