import { defineCommand, deploymentOptions } from '../command.ts'
import { type Deployment, IgnoredResponse } from '../deployment.ts'
import { CommandFailure, UsageError } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { applyChange } from './carry-out.ts'
import type { SettingsChange } from './change.ts'
import { sendCredentials } from './credentials.ts'
import { readCurrentState } from './current.ts'
import type { CurrentState } from './current-state.ts'
import { computeFingerprint } from './fingerprint.ts'
import { uploadPicture } from './picture-files.ts'
import { rejectProblems } from './plan-command.ts'
import { fileOptions, preparePlan } from './prepare.ts'
import { filterDeletions, formatSafePath, planToJson, showPlan } from './show.ts'

export const applyCommand = defineCommand({
  summary: 'Apply a settings file to a deployment',
  options: {
    ...fileOptions,
    yes: { type: 'boolean', help: 'Apply the changes without asking; required without a terminal' },
    'allow-delete': { type: 'boolean', help: 'With --yes: also delete objects that are not in the file' },
    ...deploymentOptions,
  },
  notes:
    'The command stops at the first step that fails and lists what was done. You can safely run it again.',
  async run({ values, terminal, environment }) {
    const { deployment, current, credentials, sections, secrets, changes, pictures, problems, unset } =
      await preparePlan(values, environment, terminal)
    showPlan(changes, terminal, pictures)
    rejectProblems({ problems, unset }, terminal)
    if (changes.length === 0) {
      await recordManagedSections(deployment, { sections, read: async () => current, terminal })
      terminal.printJson({ done: [], failed: null, notDone: [] })
      return 0
    }
    if (!(await isConfirmed(values, changes, terminal)))
      throw new CommandFailure("We didn't change anything.")

    for (const picture of pictures) {
      terminal.status(`Uploading ${picture.name}…`)
      await uploadPicture(picture, deployment)
    }
    const tools = { deployment, secrets, scopeIds: current.scopeIds, factories: current.factories }
    for (const [index, change] of changes.entries()) {
      terminal.status(`${index + 1}/${changes.length} ${formatSafePath(change)}…`)
      try {
        await applyChange(change, tools)
      } catch (error) {
        if (!(error instanceof CommandFailure)) throw error
        return reportFailure(changes, index, error, terminal)
      }
      terminal.print(`${terminal.paint('green', pastTense[change.action])} ${formatSafePath(change)}`)
    }
    await sendCredentials(credentials, tools)
    await recordManagedSections(deployment, { sections, read: () => readCurrentState(deployment), terminal })
    terminal.print(`Done. ${deployment.origin} matches the file.`)
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
  const deletions = filterDeletions(changes)
  const deletionList = `${deletions.length} to delete: ${deletions.map(formatSafePath).join(', ')}`
  if (values.yes) {
    if (deletions.length === 0 || values['allow-delete']) return true
    throw new UsageError(
      `${deletionList}. To delete with --yes, add --allow-delete. We didn't change anything.`,
    )
  }
  if (!terminal.isInteractive || terminal.isJson)
    throw new UsageError(
      "We can't ask for confirmation without a terminal. Add --yes. We didn't change anything.",
    )
  if (deletions.length > 0) terminal.warn(deletionList)
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
  terminal.warn(`Failed at ${formatSafePath(failed)}: ${error.message}`)
  terminal.warn(
    `We made ${index} of ${changes.length} changes. Not done: ${[failed, ...notDone].map(formatSafePath).join(', ')}. Fix the cause and run the command again.`,
  )
  terminal.printJson({
    done: planToJson(changes.slice(0, index)),
    failed: { ...planToJson([failed])[0], reason: error.message },
    notDone: planToJson(notDone),
  })
  return 1
}

/**
 * Records in the tenant which sections the file manages, and their state (spec/management#managed-by-code). The command
 * succeeds even if this fails, because no command reads the record.
 */
async function recordManagedSections(
  deployment: Deployment,
  { sections, read, terminal }: { sections: string[]; read: () => Promise<CurrentState>; terminal: Terminal },
): Promise<void> {
  if (sections.length === 0) return
  try {
    const body = { sections, fingerprint: await computeFingerprint(await read(), sections) }
    await deployment.send('put', 'configs/code', body, IgnoredResponse)
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    terminal.warn(`We couldn't record for the console that this tenant is managed by code: ${error.message}`)
  }
}
