import { Resolver } from 'node:dns/promises'
import { inviteAdministrator, listAdministrators } from './administrators.ts'
import type { Command } from './command.ts'
import { applyCommand } from './config/apply-command.ts'
import { exportCommand as exportConfig } from './config/export-command.ts'
import { planCommand } from './config/plan-command.ts'
import { connectCommand } from './connect/command.ts'
import { doctorCommand } from './doctor/command.ts'
import type { Environment } from './environment.ts'
import { CommandFailure, UsageError } from './failure.ts'
import { listKeys, rotateKeys } from './keys.ts'
import { localhostFetch } from './local-fetch.ts'
import { toPlainLine } from './terminal.ts'
import { exportUsers } from './users/export-command.ts'
import { importUsers } from './users/import-command.ts'

export { createFirstInvitation } from './administrators.ts'

/** The npm scripts and their commands. A script whose only command is '' is run without a command name. */
const scripts: Record<string, Record<string, Command>> = {
  admin: { invite: inviteAdministrator, list: listAdministrators },
  config: { plan: planCommand, apply: applyCommand, export: exportConfig },
  connect: { '': connectCommand },
  doctor: { '': doctorCommand },
  keys: { list: listKeys, rotate: rotateKeys },
  users: { import: importUsers, export: exportUsers },
}

const FAILED = 1
const USAGE_ERROR = 2

/** Runs `npm run {script} -- {args}`. The exit code is 0 for success, 1 for a failure and 2 for invalid usage. */
export async function runScript(
  script: string,
  args: string[],
  environment = createProcessEnvironment(),
): Promise<number> {
  const commands = scripts[script] ?? {}
  const [first = '', ...rest] = args
  const hasSingleCommand = '' in commands
  const name = hasSingleCommand ? script : `${script} ${first}`
  const command = hasSingleCommand
    ? commands['']
    : Object.hasOwn(commands, first)
      ? commands[first]
      : undefined
  if (!command) return printUsage(script, commands, args, environment)

  try {
    return await command.run(name, hasSingleCommand ? args : rest, environment)
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    environment.stderr.write(`${toPlainLine(error.message)}\n`)
    if (!(error instanceof UsageError)) return FAILED
    environment.stderr.write(
      `For help, run: npm run ${script} -- ${hasSingleCommand ? '' : `${first} `}--help\n`,
    )
    return USAGE_ERROR
  }
}

function printUsage(
  script: string,
  commands: Record<string, Command>,
  args: string[],
  environment: Environment,
): number {
  const wantsHelp = args.includes('--help')
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`)
  const text = [`Usage: npm run ${script} -- COMMAND [options]`, '', 'Commands:', ...lines].join('\n')
  ;(wantsHelp ? environment.stdout : environment.stderr).write(`${text}\n`)
  return wantsHelp ? 0 : USAGE_ERROR
}

const SAME_KEYSTROKE = 1_000 // ms
const INTERRUPTED = 130
const DNS_TIMEOUT = { timeout: 3_000, tries: 2 } // ms

/** Checks whether the host of a request is a tenant of a server on this machine, such as `acme.localhost`. */
const isBelowLocalhost = (input: RequestInfo | URL): boolean =>
  new URL(input instanceof Request ? input.url : input).hostname.endsWith('.localhost')

/** Returns the environment of a command that was started from the command line. */
export const createProcessEnvironment = (): Environment => ({
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  folder: process.cwd(),
  fetch: (input, init) => (isBelowLocalhost(input) ? localhostFetch : fetch)(input, init),
  resolver: new Resolver(DNS_TIMEOUT),
  now: Date.now,
  onStop(stop) {
    let firstSignalAt = 0
    const handleSignal = () => {
      if (firstSignalAt === 0) {
        firstSignalAt = Date.now()
        stop()
        // Both the terminal and npm send a signal for the same Ctrl-C. A later signal ends the process.
      } else if (Date.now() - firstSignalAt > SAME_KEYSTROKE) process.exit(INTERRUPTED)
    }
    const signals = ['SIGINT', 'SIGTERM'] as const
    for (const signal of signals) process.on(signal, handleSignal)
    return () => {
      for (const signal of signals) process.removeListener(signal, handleSignal)
    }
  },
})
