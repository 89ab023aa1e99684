import { closeSync, existsSync, ftruncateSync, openSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { MOST_EXPORTED, UserExport } from '../../src/contract/user-import.schema.ts'
import { command, deploymentOptions } from '../command.ts'
import { openDeployment } from '../deployment.ts'
import { Failure, UsageError } from '../failure.ts'
import { sizeOf, syncFolderOf, writeDurably } from './durable.ts'
import { type ColumnName, columns, type Format, formatOf, formats, headerLine, rowLine } from './formats.ts'
import { readState, removeState, saveState } from './import-state.ts'

const INTERRUPTED = 130

/** How far an export has come: `bytes` of the file are whole pages, the last of which ended with the user `after`. */
const ExportState = z.object({
  version: z.literal(1),
  origin: z.string(),
  format: z.enum(formats),
  after: z.string(),
  bytes: z.number().int().min(0),
  users: z.number().int().min(0),
})
type ExportState = z.infer<typeof ExportState>

export const exportUsers = command({
  summary: 'Write all users into a file of CSV or JSON lines, without their passwords',
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
      help: 'Where to remember how far it is (FILE.export-state.json)',
    },
    force: { type: 'boolean', help: 'Replace the file if it is there' },
    ...deploymentOptions,
  },
  notes:
    'Ctrl-C stops it, and the same command goes on. JSON lines are the exact form; CSV is for spreadsheets.',
  async run({ values, file: name, terminal, environment }) {
    const file = path.resolve(environment.folder, name)
    const format = formatOf(name, values.format)
    const deployment = openDeployment(values, environment)
    const stateFile = values.state
      ? path.resolve(environment.folder, values.state)
      : `${file}.export-state.json`
    let state = openExport(stateFile, { origin: deployment.origin, format })
    if (!state && existsSync(file) && !values.force)
      throw new UsageError(`${name} is there already: give --force to replace it.`)
    if (state && sizeOf(file) < state.bytes)
      throw new Failure(
        `${name} is not what the export had written: it has ${sizeOf(file)} bytes of ${state.bytes}. Put it back, or remove ${stateFile} to begin again.`,
      )
    if (state) terminal.say(`Going on after ${state.users} users.`)
    await deployment.token() // before anything is replaced, somebody who may not hears so

    const handle = openSync(file, state ? 'r+' : 'w', 0o600)
    const stopping = new AbortController()
    const takeBack = environment.onStop(() => stopping.abort())
    try {
      if (!state) {
        const bytes = format === 'csv' ? writeDurably(handle, headerLine(exported), 0) : 0
        syncFolderOf(file)
        state = { version: 1, origin: deployment.origin, format, after: '', bytes, users: 0 }
      }
      // What lies behind the last whole page was not finished.
      ftruncateSync(handle, state.bytes)
      for (let next: string | null = state.after; next !== null && !stopping.signal.aborted; ) {
        const page: z.output<typeof UserExport> = await deployment.persist(
          'get',
          'users/export',
          { searchParams: { after: next, limit: String(MOST_EXPORTED) } },
          UserExport,
        )
        const text = page.users.map((user) => lineOf(user, format)).join('')
        const written = writeDurably(handle, text, state.bytes)
        next = page.next
        state = {
          ...state,
          after: next ?? state.after,
          bytes: state.bytes + written,
          users: state.users + page.users.length,
        }
        if (next !== null) saveState(stateFile, state)
        terminal.status(`${state.users} users`)
        if (next === null) removeState(stateFile)
      }
    } finally {
      takeBack()
      closeSync(handle)
      terminal.clearStatus()
    }

    const isDone = !existsSync(stateFile)
    terminal.answer({ users: state.users, isDone })
    terminal.say(`${state.users} users written to ${name}.`)
    if (!isDone) terminal.warn('Interrupted. The same command goes on from here.')
    return isDone ? 0 : INTERRUPTED
  },
})

/** The columns an export has: those that can be told. */
const exported: ColumnName[] = Object.keys(columns)
  .filter((name): name is ColumnName => Object.hasOwn(columns, name))
  .filter((name) => !name.startsWith('password'))

const lineOf = (user: Record<string, unknown>, format: Format) =>
  format === 'csv' ? rowLine(user, exported) : `${JSON.stringify(user)}\n`

function openExport(
  stateFile: string,
  { origin, format }: Pick<ExportState, 'origin' | 'format'>,
): ExportState | null {
  if (!existsSync(stateFile)) return null
  const stored = ExportState.safeParse(readState(stateFile))
  if (stored.success && stored.data.origin === origin && stored.data.format === format) return stored.data
  throw new Failure(`${stateFile} is about another export. Remove it to begin again.`)
}
