import { existsSync } from 'node:fs'
import path from 'node:path'
import { defineCommand, deploymentOptions } from '../command.ts'
import { openDeployment } from '../deployment.ts'
import { UsageError } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { removeFile } from './durable.ts'
import { fileOptions, resolveFormat } from './formats.ts'
import { importFile, openRejectedFile } from './import-file.ts'
import { fingerprintFile, type ImportState, loadImportState, saveState } from './import-state.ts'

const INTERRUPTED = 130 // the exit code of shells for SIGINT

export const importUsers = defineCommand({
  summary: 'Import users from a file of CSV or JSON lines',
  file: 'FILE',
  options: {
    ...fileOptions,
    state: {
      type: 'string',
      value: 'FILE',
      help: 'File for the progress (default: FILE.import-state.json)',
    },
    'with-administrators': {
      type: 'boolean',
      help: 'Accept users with internal roles, which administrators have',
    },
    ...deploymentOptions,
  },
  notes:
    'Ctrl-C stops it; the same command continues. Refused lines go to FILE.rejected.jsonl, each with its number and\n' +
    'the reason; then the exit code is 1. Existing users stay unchanged.',
  async run({ values, file: name, terminal, environment }) {
    const file = path.resolve(environment.folder, name)
    if (!existsSync(file)) throw new UsageError(`The file ${name} does not exist.`)
    const format = resolveFormat(name, values.format)
    const deployment = openDeployment(values, environment)
    const stateFile = values.state
      ? path.resolve(environment.folder, values.state)
      : `${file}.import-state.json`

    terminal.status(`Reading ${name} ...`)
    const state = loadImportState(stateFile, deployment.origin, await fingerprintFile(file))
    if (state.offset > 0) terminal.print(`Continuing at line ${state.line}.`)
    await deployment.token() // fails before a file is written

    const rejected = openRejectedFile(`${file}.rejected.jsonl`, state.rejectedBytes)
    const progress = showProgress(terminal, {
      total: state.file.size,
      done: state.offset,
      users: usersOf(state),
      now: environment.now,
    })
    const stopping = new AbortController()
    const removeStopHandler = environment.onStop(() => {
      terminal.status('Stopping after the calls in progress ...')
      stopping.abort()
    })
    let reached = state
    try {
      reached = await importFile({
        file,
        format,
        state,
        deployment,
        rejected,
        withAdministrators: values['with-administrators'] === true,
        stopped: stopping.signal,
        acknowledged(state) {
          saveState(stateFile, state)
          progress(state.offset, usersOf(state))
        },
      })
    } finally {
      removeStopHandler()
      rejected.close()
      terminal.clearStatus()
    }

    const { created, existing, rejected: refused } = reached
    const lines = usersOf(reached)
    const isDone = !stopping.signal.aborted
    if (isDone) removeFile(stateFile)
    terminal.printJson({ created, existing, rejected: refused, lines, isDone })
    terminal.print(`${created} created, ${existing} existing, ${refused} refused, of ${lines} users.`)
    if (refused > 0) terminal.warn(`Refused lines with the reasons: ${name}.rejected.jsonl`)
    if (!isDone) terminal.warn('Interrupted. The same command continues from here.')
    return isDone ? Number(refused > 0) : INTERRUPTED
  },
})

const usersOf = ({ created, existing, rejected }: ImportState) => created + existing + rejected

const BAR = 24
const REDRAWN_EVERY = 100 // ms

type Begin = { total: number; done: number; users: number; now(): number }

/** A progress bar with the rate and the remaining time. `total` and `done` are bytes of the file. */
function showProgress(terminal: Terminal, { total, done: begin, users: before, now }: Begin) {
  const started = now()
  let shownAt = 0
  return (done: number, users: number): void => {
    const time = now()
    if (time - shownAt < REDRAWN_EVERY && done < total) return
    shownAt = time
    const share = total === 0 ? 1 : done / total
    const seconds = Math.max((time - started) / 1000, 0.001)
    const left = ((total - done) * seconds) / (done - begin)
    const bar = '#'.repeat(Math.round(share * BAR)).padEnd(BAR, '-')
    const rate = Math.round((users - before) / seconds)
    terminal.status(`[${bar}] ${Math.floor(share * 100)}%  ${users} users, ${rate}/s  ${clock(left)} left`)
  }
}

function clock(seconds: number): string {
  if (!Number.isFinite(seconds)) return '--:--'
  const whole = Math.ceil(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
