import { existsSync } from 'node:fs'
import path from 'node:path'
import { command, deploymentOptions } from '../command.ts'
import { openDeployment } from '../deployment.ts'
import { UsageError } from '../failure.ts'
import { formatOf, formats } from './formats.ts'
import { importFile } from './import-file.ts'
import { fingerprintOf, type ImportState, openState, removeState, saveState } from './import-state.ts'
import { showProgress } from './progress.ts'
import { openRejected } from './rejected.ts'

const INTERRUPTED = 130 // as a shell says it of SIGINT

export const importUsers = command({
  summary: 'Import users from a file of CSV or JSON lines',
  file: 'FILE',
  options: {
    format: {
      type: 'string',
      value: 'FORMAT',
      help: `${formats.join(' or ')} (default: what the file is called)`,
    },
    state: {
      type: 'string',
      value: 'FILE',
      help: 'Where to remember how far it is (FILE.import-state.json)',
    },
    'with-administrators': {
      type: 'boolean',
      help: 'Take users with internal roles, as administrators have them',
    },
    ...deploymentOptions,
  },
  notes:
    'Ctrl-C stops it, and the same command goes on. Lines that are refused go to FILE.rejected.jsonl, each with its\n' +
    'number and the reason; then the exit code is 1. Users who are there already stay as they are.',
  async run({ values, file: name, terminal, environment }) {
    const file = path.resolve(environment.folder, name)
    if (!existsSync(file)) throw new UsageError(`There is no file ${name}.`)
    const format = formatOf(name, values.format)
    const deployment = openDeployment(values, environment)
    const stateFile = values.state
      ? path.resolve(environment.folder, values.state)
      : `${file}.import-state.json`

    terminal.status(`Reading ${name} ...`)
    const state = openState(stateFile, deployment.origin, await fingerprintOf(file))
    if (state.offset > 0) terminal.say(`Going on at line ${state.line}.`)
    await deployment.token() // before anything is written, somebody who may not hears so

    const rejected = openRejected(`${file}.rejected.jsonl`, state.rejectedBytes)
    const progress = showProgress(terminal, {
      total: state.file.size,
      done: state.offset,
      users: usersOf(state),
      now: environment.now,
    })
    const stopping = new AbortController()
    const takeBack = environment.onStop(() => {
      terminal.status('Stopping; what is on its way is waited for ...')
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
      takeBack()
      rejected.close()
      terminal.clearStatus()
    }

    const { created, existing, rejected: refused } = reached
    const lines = usersOf(reached)
    const isDone = !stopping.signal.aborted
    if (isDone) removeState(stateFile)
    terminal.answer({ created, existing, rejected: refused, lines, isDone })
    terminal.say(`${created} created, ${existing} there already, ${refused} refused, of ${lines} users.`)
    if (refused > 0) terminal.warn(`The refused lines, with the reasons: ${name}.rejected.jsonl`)
    if (!isDone) terminal.warn('Interrupted. The same command goes on from here.')
    return isDone ? Number(refused > 0) : INTERRUPTED
  },
})

const usersOf = ({ created, existing, rejected }: ImportState) => created + existing + rejected
