import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, inject } from 'vitest'
import { MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../../../src/contract/product.ts'

/** A folder for the files of a test file. */
export function workFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-operator-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export type CommandResult = { code: number | null; stdout: string; stderr: string }
type Options = { env?: Record<string, string>; origin?: string }

/** `npm run {script} -- {args}`, without npm and without a terminal, against the started server. */
export const runCommand = (script: string, args: string[], options: Options = {}): Promise<CommandResult> =>
  spawnCommand(script, args, options).ended

export function spawnCommand(
  script: string,
  args: string[],
  { env = {}, origin = inject('origin') }: Options = {},
) {
  const child = spawn(process.execPath, ['scripts/run.mjs', script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      VESTIBULE_ORIGIN: origin,
      VESTIBULE_CLIENT_SECRET: inject('managementSecret'),
      ...env,
    },
  })
  const ended = Promise.all([
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
    text(child.stdout),
    text(child.stderr),
  ]).then(([code, stdout, stderr]): CommandResult => ({ code, stdout, stderr }))
  return { ended, kill: (signal: NodeJS.Signals) => child.kill(signal) }
}

/** The management API, to check the result of a command. */
export async function callApi<T>(method: string, route: string, body?: unknown): Promise<T> {
  const response = await fetch(`${inject('origin')}/api${route}`, {
    method,
    headers: {
      authorization: `Bearer ${await token()}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`)
  return JSON.parse((await response.text()) || 'null')
}

let known: Promise<string> | undefined

const token = (): Promise<string> => {
  known ??= fetch(`${inject('origin')}/oidc/token`, {
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
  return known
}
