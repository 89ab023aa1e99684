import { closeSync, existsSync, ftruncateSync, openSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { MAX_USERS_PER_EXPORT, UserExport } from '../../src/contract/users/user-import.schema.ts'
import { defineCommand, deploymentOptions } from '../command.ts'
import { createDeploymentClient } from '../deployment.ts'
import { CommandFailure, UsageError } from '../failure.ts'
import { getFileSize, removeFile, syncParentFolder, writeDurably } from './durable.ts'
import {
  fileOptions,
  formatHeaderLine,
  formatUserCount,
  formatUserLine,
  getExportColumns,
  resolveFormat,
  userFileFormats,
} from './formats.ts'
import { readState, saveState } from './import-state.ts'

const INTERRUPTED = 130

/**
 * The progress of an export. The first `bytes` of the file are complete pages, and the last of these ends with the
 * user whose id is `after`.
 */
const ExportState = z.object({
  version: z.literal(1),
  origin: z.string(),
  format: z.enum(userFileFormats),
  withTotpSecrets: z.boolean().default(false),
  after: z.string(),
  bytes: z.number().int().min(0),
  users: z.number().int().min(0),
})
type ExportState = z.infer<typeof ExportState>

export const exportUsers = defineCommand({
  summary: 'Write all users to a CSV or JSON Lines file, without passwords',
  file: 'FILE',
  options: {
    ...fileOptions,
    state: {
      type: 'string',
      value: 'FILE',
      help: 'File that stores the progress (default: FILE.export-state.json)',
    },
    force: { type: 'boolean', help: 'Replace an existing file' },
    'with-totp-secrets': {
      type: 'boolean',
      help: 'Also write the secrets of authenticator apps, which give access to accounts',
    },
    ...deploymentOptions,
  },
  notes:
    'Press Ctrl-C to stop, and run the same command to continue. JSON Lines files are exact; CSV is for spreadsheets.',
  async run({ values, file: name, terminal, environment }) {
    const file = path.resolve(environment.folder, name)
    const format = resolveFormat(name, values.format)
    const withTotpSecrets = values['with-totp-secrets'] ?? false
    const columns = getExportColumns(withTotpSecrets)
    const deployment = createDeploymentClient(values, environment)
    const stateFile = values.state
      ? path.resolve(environment.folder, values.state)
      : `${file}.export-state.json`
    let state = openExport(stateFile, { origin: deployment.origin, format, withTotpSecrets })
    if (!state && existsSync(file) && !values.force)
      throw new UsageError(`${name} already exists. Add --force to replace it.`)
    if (state && getFileSize(file) < state.bytes)
      throw new CommandFailure(
        `${name} isn't the file of the interrupted export: it has ${getFileSize(file)} of ${state.bytes} bytes. Restore it, or delete ${stateFile} to start again.`,
      )
    if (state) terminal.print(`Continuing after ${formatUserCount(state.users)}.`)
    await deployment.token() // throws before any file is replaced

    const handle = openSync(file, state ? 'r+' : 'w', 0o600)
    const stop = new AbortController()
    const removeStopHandler = environment.onStop(() => stop.abort())
    try {
      if (!state) {
        const bytes = format === 'csv' ? writeDurably(handle, formatHeaderLine(columns), 0) : 0
        syncParentFolder(file)
        state = { version: 1, origin: deployment.origin, format, withTotpSecrets, after: '', bytes, users: 0 }
      }
      // The bytes after the last complete page belong to an incomplete one.
      ftruncateSync(handle, state.bytes)
      const query = {
        limit: String(MAX_USERS_PER_EXPORT),
        ...(withTotpSecrets && { withTotpSecrets: 'true' }),
      }
      for (let next: string | null = state.after; next !== null && !stop.signal.aborted; ) {
        const page: z.output<typeof UserExport> = await deployment.persist(
          'get',
          'users/export',
          { searchParams: { after: next, ...query } },
          UserExport,
        )
        const text = page.users.map((user) => formatUserLine(user, format, columns)).join('')
        const written = writeDurably(handle, text, state.bytes)
        next = page.next
        state = {
          ...state,
          after: next ?? state.after,
          bytes: state.bytes + written,
          users: state.users + page.users.length,
        }
        if (next !== null) saveState(stateFile, state)
        terminal.status(formatUserCount(state.users))
        if (next === null) removeFile(stateFile)
      }
    } finally {
      removeStopHandler()
      closeSync(handle)
      terminal.clearStatus()
    }

    const isDone = !existsSync(stateFile)
    terminal.printJson({ users: state.users, isDone })
    terminal.print(`We wrote ${formatUserCount(state.users)} to ${name}.`)
    if (!isDone) terminal.warn('Interrupted. Run the same command to continue from here.')
    return isDone ? 0 : INTERRUPTED
  },
})

function openExport(
  stateFile: string,
  { origin, format, withTotpSecrets }: Pick<ExportState, 'origin' | 'format' | 'withTotpSecrets'>,
): ExportState | null {
  if (!existsSync(stateFile)) return null
  const stored = ExportState.safeParse(readState(stateFile))
  const isSame =
    stored.data?.origin === origin &&
    stored.data.format === format &&
    stored.data.withTotpSecrets === withTotpSecrets
  if (stored.success && isSame) return stored.data
  throw new CommandFailure(`${stateFile} belongs to another export. Delete it to start again.`)
}
