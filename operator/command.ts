import { parseArgs } from 'node:util'
import type { Environment } from './environment.ts'
import { UsageError } from './failure.ts'
import { createTerminal, type Terminal } from './terminal.ts'

/** An option of the command line, as `--help` shows it. */
type Option = {
  type: 'string' | 'boolean'
  help: string
  /** The placeholder for the option's value in `--help`. */
  value?: string
  /** True if the option may be repeated. */
  isMultiple?: true
}
type Options = Record<string, Option>
type Values<O extends Options> = {
  [Name in keyof O]?:
    | (O[Name]['type'] extends 'boolean' ? boolean : O[Name]['isMultiple'] extends true ? string[] : string)
    | undefined
}

export type Command = {
  summary: string
  help(name: string): string
  run(name: string, args: string[], environment: Environment): Promise<number>
}

type Definition<O extends Options> = {
  summary: string
  /**
   * The name of the command's argument, or undefined if it accepts none. Brackets mark an optional argument.
   */
  file?: string
  options: O
  /** Additional lines for `--help`. */
  notes?: string
  run(call: {
    values: Values<O>
    file: string
    terminal: Terminal
    environment: Environment
  }): Promise<number>
}

const commonOptions = {
  json: { type: 'boolean', help: 'Print the result as JSON on stdout' },
  help: { type: 'boolean', help: 'Show this help' },
} as const satisfies Options

/**
 * The options of commands that call a deployment. There is no option for the secret, because other users of the
 * machine can see a command's arguments.
 */
export const deploymentOptions = {
  origin: {
    type: 'string',
    value: 'URL',
    help: 'Origin of the deployment (default: VESTIBULE_ORIGIN, or the local server)',
  },
  'client-id': {
    type: 'string',
    value: 'ID',
    help: 'Client that authenticates (default: VESTIBULE_CLIENT_ID, or management)',
  },
} as const satisfies Options

export function defineCommand<const O extends Options>(definition: Definition<O>): Command {
  const options: Options = { ...definition.options, ...commonOptions }

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
      'Exit codes: 0 success, 1 failure, 2 invalid usage.',
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
        throw new UsageError(`Unexpected argument "${rest[0] ?? file}".`)
      if (definition.file && !definition.file.startsWith('[') && file === undefined)
        throw new UsageError(`The argument ${definition.file} is missing.`)
      const terminal = createTerminal(environment, { json: values.json === true })
      // `parseArgs` has already checked the type of each option.
      return definition.run({ values: values as Values<O>, file: file ?? '', terminal, environment })
    },
  }
}

type ParseOptions = Record<string, { type: Option['type']; multiple: boolean }>

function parse(args: string[], options: Options) {
  try {
    const parseOptions = Object.entries(options).map(([name, { type, isMultiple = false }]) => [
      name,
      { type, multiple: isMultiple },
    ])
    return parseArgs({
      args,
      options: Object.fromEntries(parseOptions) as ParseOptions,
      allowPositionals: true,
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Returns the command as the user types it: `npm run config -- plan`. */
const usage = (name: string, file = '') => {
  const [script = '', ...rest] = name.split(' ')
  return `${script} -- ${[...rest, file].filter(Boolean).join(' ')}`.trimEnd()
}
