import { existsSync } from 'node:fs'
import path from 'node:path'
import { defineCommand, deploymentOptions } from '../command.ts'
import { createDeploymentClient } from '../deployment.ts'
import { UsageError } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { removeFile } from './durable.ts'
import { fileOptions, formatUserCount, resolveFormat } from './formats.ts'
import { importFile, openRejectedFile } from './import-file.ts'
import { fingerprintFile, type ImportState, loadImportState, saveState } from './import-state.ts'

const INTERRUPTED = 130 // the exit code that shells use for SIGINT

export const importUsers = defineCommand({
  summary: 'Import users from a CSV or JSON Lines file',
  file: 'FILE',
  options: {
    ...fileOptions,
    state: {
      type: 'string',
      value: 'FILE',
      help: 'File that stores the progress (default: FILE.import-state.json)',
    },
    'with-administrators': {
      type: 'boolean',
      help: 'Accept users with internal roles, which administrators have',
    },
    'with-events': {
      type: 'boolean',
      help: 'Send the event User.Created to webhooks for each new user',
    },
    ...deploymentOptions,
  },
  notes:
    'Press Ctrl-C to stop, and run the same command to continue. Rejected lines go to FILE.rejected.jsonl, each with its\n' +
    'number and the reason, and the exit code is 1. Existing users stay unchanged.',
  async run({ values, file: name, terminal, environment }) {
    const file = path.resolve(environment.folder, name)
    if (!existsSync(file)) throw new UsageError(`The file ${name} doesn't exist.`)
    const format = resolveFormat(name, values.format)
    const deployment = createDeploymentClient(values, environment)
    const stateFile = values.state
      ? path.resolve(environment.folder, values.state)
      : `${file}.import-state.json`

    terminal.status(`Reading ${name}…`)
    const state = loadImportState(stateFile, deployment.origin, await fingerprintFile(file))
    if (state.offset > 0) terminal.print(`Continuing at line ${state.line}.`)
    await deployment.token() // throws before any file is written

    const rejectedFile = openRejectedFile(`${file}.rejected.jsonl`, state.rejectedBytes)
    const progress = showProgress(terminal, {
      total: state.file.size,
      done: state.offset,
      users: totalUsers(state),
      now: environment.now,
    })
    const stop = new AbortController()
    const removeStopHandler = environment.onStop(() => {
      terminal.status('Stopping after the calls in progress…')
      stop.abort()
    })
    let endState = state
    try {
      endState = await importFile({
        file,
        format,
        state,
        deployment,
        rejected: rejectedFile,
        withAdministrators: values['with-administrators'] === true,
        withEvents: values['with-events'] === true,
        stopped: stop.signal,
        acknowledged(state) {
          saveState(stateFile, state)
          progress(state.offset, totalUsers(state))
        },
      })
    } finally {
      removeStopHandler()
      rejectedFile.close()
      terminal.clearStatus()
    }

    const { created, existing, rejected } = endState
    const lines = totalUsers(endState)
    const isDone = !stop.signal.aborted
    if (isDone) removeFile(stateFile)
    terminal.printJson({ created, existing, rejected, lines, isDone })
    terminal.print(
      `We read ${formatUserCount(lines)}: ${created} created, ${existing} existing, ${rejected} rejected.`,
    )
    if (rejected > 0) terminal.warn(`See the rejected lines and the reasons in ${name}.rejected.jsonl`)
    if (!isDone) terminal.warn('Interrupted. Run the same command to continue from here.')
    return isDone ? Number(rejected > 0) : INTERRUPTED
  },
})

const totalUsers = ({ created, existing, rejected }: ImportState) => created + existing + rejected

const BAR_WIDTH = 24
const REDRAW_INTERVAL = 100 // ms

type ProgressStart = { total: number; done: number; users: number; now(): number }

/** Shows a progress bar with the rate and the remaining time. `total` and `done` are numbers of bytes. */
function showProgress(
  terminal: Terminal,
  { total, done: bytesBefore, users: usersBefore, now }: ProgressStart,
) {
  const startedAt = now()
  let shownAt = 0
  return (done: number, users: number): void => {
    const time = now()
    if (time - shownAt < REDRAW_INTERVAL && done < total) return
    shownAt = time
    const share = total === 0 ? 1 : done / total
    const seconds = Math.max((time - startedAt) / 1000, 0.001)
    const left = ((total - done) * seconds) / (done - bytesBefore)
    const bar = '#'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '-')
    const rate = Math.round((users - usersBefore) / seconds)
    terminal.status(
      `[${bar}] ${Math.floor(share * 100)}%  ${formatUserCount(users)}, ${rate}/s  ${formatTime(left)} left`,
    )
  }
}

function formatTime(seconds: number): string {
  if (!Number.isFinite(seconds)) return '--:--'
  const whole = Math.ceil(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
