import { defineCommand, deploymentOptions } from '../command.ts'
import { type Deployment, IgnoredResponse } from '../deployment.ts'
import { CommandFailure, UsageError } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { applyChange, sendCredentials } from './carry-out.ts'
import type { SettingsChange } from './change.ts'
import { readCurrent } from './current.ts'
import type { CurrentState } from './current-state.ts'
import { fingerprint } from './fingerprint.ts'
import { rejectProblems } from './plan-command.ts'
import { fileOptions, preparePlan } from './prepare.ts'
import { deletionsOf, displayName, planToJson, showPlan } from './show.ts'

export const applyCommand = defineCommand({
  summary: 'Apply a settings file to a deployment',
  options: {
    ...fileOptions,
    yes: { type: 'boolean', help: 'Apply without confirmation; required without a terminal' },
    'allow-delete': { type: 'boolean', help: 'With --yes: also delete what is not in the file' },
    ...deploymentOptions,
  },
  notes: 'It stops at the first step that fails and lists what was done. It is safe to run again.',
  async run({ values, terminal, environment }) {
    const { deployment, current, credentials, sections, secrets, changes, problems, unset } =
      await preparePlan(values, environment, terminal)
    showPlan(changes, terminal)
    rejectProblems({ problems, unset }, terminal)
    if (changes.length === 0) {
      await recordManaged(deployment, { sections, read: async () => current, terminal })
      terminal.printJson({ done: [], failed: null, notDone: [] })
      return 0
    }
    if (!(await isConfirmed(values, changes, terminal))) throw new CommandFailure('Nothing has been changed.')

    const tools = { deployment, secrets, scopeIds: current.scopeIds, factories: current.factories }
    for (const [index, change] of changes.entries()) {
      terminal.status(`${index + 1}/${changes.length} ${displayName(change)} ...`)
      try {
        await applyChange(change, tools)
      } catch (error) {
        if (!(error instanceof CommandFailure)) throw error
        return reportFailure(changes, index, error, terminal)
      }
      terminal.print(`${terminal.paint('green', pastTense[change.action])} ${displayName(change)}`)
    }
    await sendCredentials(credentials, tools)
    await recordManaged(deployment, { sections, read: () => readCurrent(deployment), terminal })
    terminal.print(`Done: ${deployment.origin} matches the file.`)
    terminal.printJson({ done: planToJson(changes), failed: null, notDone: [] })
    return 0
  },
})

const pastTense = { create: 'created', change: 'changed', delete: 'deleted' } as const

type ConfirmationValues = { yes?: boolean | undefined; 'allow-delete'?: boolean | undefined }

async function isConfirmed(
  values: ConfirmationValues,
  changes: readonly SettingsChange[],
  terminal: Terminal,
): Promise<boolean> {
  const deletions = deletionsOf(changes)
  const lost = `${deletions.length} to delete: ${deletions.map(displayName).join(', ')}`
  if (values.yes) {
    if (deletions.length === 0 || values['allow-delete']) return true
    throw new UsageError(`${lost}. With --yes, deletions need --allow-delete. Nothing has been changed.`)
  }
  if (!terminal.isInteractive || terminal.isJson)
    throw new UsageError('There is no terminal for a confirmation: give --yes. Nothing has been changed.')
  if (deletions.length > 0) terminal.warn(lost)
  return terminal.confirm('Apply these changes?')
}

function reportFailure(
  changes: readonly SettingsChange[],
  index: number,
  error: CommandFailure,
  terminal: Terminal,
): number {
  const [failed, ...notDone] = changes.slice(index)
  if (!failed) return 1
  terminal.warn(`Failed at ${displayName(failed)}: ${error.message}`)
  terminal.warn(
    `${index} of ${changes.length} done; not done: ${[failed, ...notDone].map(displayName).join(', ')}. Run the command again when the cause is fixed.`,
  )
  terminal.printJson({
    done: planToJson(changes.slice(0, index)),
    failed: { ...planToJson([failed])[0], reason: error.message },
    notDone: planToJson(notDone),
  })
  return 1
}

/**
 * Tells the tenant which sections of the file it is managed by, and their state (spec/management#managed-by-code). No command reads
 * it, so one that cannot write it has still carried out its file.
 */
async function recordManaged(
  deployment: Deployment,
  { sections, read, terminal }: { sections: string[]; read: () => Promise<CurrentState>; terminal: Terminal },
): Promise<void> {
  if (sections.length === 0) return
  try {
    const body = { sections, fingerprint: await fingerprint(await read(), sections) }
    await deployment.send('put', 'configs/code', body, IgnoredResponse)
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    terminal.warn(`The console is not told that this tenant is managed by code: ${error.message}`)
  }
}
