import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, inject } from 'vitest'
import { createProcessEnvironment, runScript } from '../../../operator/main.ts'
import { MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../../../src/contract/product.ts'

/** Creates a temporary folder for a test file. */
export function workFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-operator-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export type CommandResult = { code: number | null; stdout: string; stderr: string }
type Options = { env?: Record<string, string>; origin?: string; folder?: string }

const variables = ({ env = {}, origin = inject('origin') }: Options) => ({
  VESTIBULE_ORIGIN: origin,
  VESTIBULE_CLIENT_SECRET: inject('managementSecret'),
  ...env,
})

/**
 * Runs `npm run {script} -- {args}` against the running server in this process and without a terminal. Settings files
 * are imported as modules, so a changed file must have a new name.
 */
export async function runCommand(
  script: string,
  args: string[],
  options: Options = {},
): Promise<CommandResult> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const output = Promise.all([text(stdout), text(stderr)])
  const code = await runScript(script, args, {
    ...createProcessEnvironment(),
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: variables(options),
    ...(options.folder && { folder: options.folder }),
  })
  stdout.end()
  stderr.end()
  const [out, err] = await output
  return { code, stdout: out, stderr: err }
}

/** Runs a command in a separate process, but without npm. At least one test of each script uses it. */
export const runProcess = (script: string, args: string[], options: Options = {}): Promise<CommandResult> =>
  spawnCommand(script, args, options).ended

export function spawnCommand(script: string, args: string[], options: Options = {}) {
  const child = spawn(process.execPath, ['scripts/run.mjs', script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables(options) },
  })
  const ended = Promise.all([
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
    text(child.stdout),
    text(child.stderr),
  ]).then(([code, stdout, stderr]): CommandResult => ({ code, stdout, stderr }))
  return { ended, kill: (signal: NodeJS.Signals) => child.kill(signal) }
}

/** Calls the management API to check the result of a command. */
export async function callApi<T>(method: string, route: string, body?: unknown): Promise<T> {
  const response = await fetch(`${inject('origin')}/api${route}`, {
    method,
    headers: {
      authorization: `Bearer ${await managementToken()}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`)
  return JSON.parse((await response.text()) || 'null')
}

let cachedToken: Promise<string> | undefined

export const managementToken = (): Promise<string> => {
  cachedToken ??= fetch(`${inject('origin')}/oidc/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`management:${encodeURIComponent(inject('managementSecret'))}`)}`,
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      resource: MANAGEMENT_RESOURCE.indicator,
      scope: MANAGEMENT_SCOPE.name,
    }),
  }).then(async (response) => {
    const { access_token } = await response.json()
    return access_token
  })
  return cachedToken
}
