import { parseArgs } from 'node:util'
import type { Environment } from './environment.ts'
import { UsageError } from './failure.ts'
import { createTerminal, type Terminal } from './terminal.ts'

/** How an option reads on the command line and in `--help`. */
export type Option = {
  type: 'string' | 'boolean'
  help: string
  /** What stands for its value in `--help`. */
  value?: string
}
type Options = Record<string, Option>
type Values<O extends Options> = {
  [Name in keyof O]?: (O[Name]['type'] extends 'boolean' ? boolean : string) | undefined
}

export type Command = {
  summary: string
  help(name: string): string
  run(name: string, args: string[], environment: Environment): Promise<number>
}

type Definition<O extends Options> = {
  summary: string
  /** The one argument it takes, if any. */
  file?: string
  options: O
  /** Further lines of `--help`. */
  notes?: string
  run(call: {
    values: Values<O>
    file: string
    terminal: Terminal
    environment: Environment
  }): Promise<number>
}

const always = {
  json: { type: 'boolean', help: 'Answer as JSON on stdout' },
  help: { type: 'boolean', help: 'Show this' },
} as const satisfies Options

/** For commands that talk to a deployment. The secret comes from the environment alone: arguments are public on a machine. */
export const deploymentOptions = {
  origin: {
    type: 'string',
    value: 'URL',
    help: 'The deployment; or VESTIBULE_ORIGIN (default: the local one)',
  },
  'client-id': {
    type: 'string',
    value: 'ID',
    help: 'Who asks; or VESTIBULE_CLIENT_ID (default: management)',
  },
} as const satisfies Options

export function command<const O extends Options>(definition: Definition<O>): Command {
  const options: Options = { ...definition.options, ...always }

  function help(name: string): string {
    const lines = Object.entries(options).map(
      ([option, { value, help }]) => `  ${`--${option}${value ? ` ${value}` : ''}`.padEnd(24)}${help}`,
    )
    return [
      definition.summary,
      '',
      `Usage: npm run ${usage(name, definition.file)} [options]`,
      '',
      'Options:',
      ...lines,
      ...(definition.notes ? ['', definition.notes] : []),
      '',
      'Exit codes: 0 done, 1 failed, 2 not understood.',
    ].join('\n')
  }

  return {
    summary: definition.summary,
    help,
    async run(name, args, environment) {
      const { values, positionals } = parse(args, options)
      if (values.help === true) {
        environment.stdout.write(`${help(name)}\n`)
        return 0
      }
      const [file, ...rest] = positionals
      if (rest.length > 0 || (file !== undefined && !definition.file))
        throw new UsageError(`"${rest[0] ?? file}" was not expected.`)
      if (definition.file && file === undefined) throw new UsageError(`${definition.file} is missing.`)
      const terminal = createTerminal(environment, { json: values.json === true })
      // `parseArgs` has held each option to its type.
      return definition.run({ values: values as Values<O>, file: file ?? '', terminal, environment })
    },
  }
}

function parse(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** As it is typed: `npm run config -- plan`. */
const usage = (name: string, file = '') => {
  const [script = '', ...rest] = name.split(' ')
  return `${script} -- ${[...rest, file].filter(Boolean).join(' ')}`.trimEnd()
}
