import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import type { ConnectorFactorySchema } from '../../src/contract/connectors/connectors.schema.ts'
import { readConfigValue, writeConfigValue } from '../../src/domain/connectors/config-value.ts'
import { parseJson } from '../config/json.ts'
import { connectorVariableName } from '../config/secret-names.ts'
import type { Environment } from '../environment.ts'
import { UsageError } from '../failure.ts'
import type { Terminal } from '../terminal.ts'

type Field = z.output<typeof ConnectorFactorySchema>['formItems'][number]
export type Config = Record<string, unknown>

type FieldSources = {
  /** The options `name=value` or `name=@file`, as the user typed them. */
  options: readonly string[]
  /** The target of the connector. It is part of the names of the variables for secrets. */
  target: string
  /** The installed configuration, with placeholders for secrets. */
  stored: Config
}

/**
 * Collects the configuration of a connector from the options, environment variables, the stored configuration, and the
 * answers of a user at a terminal.
 */
export async function readFields(
  fields: readonly Field[],
  { options, target, stored }: FieldSources,
  { terminal, environment }: { terminal: Terminal; environment: Environment },
): Promise<Config> {
  const typed = parseOptions(fields, options)
  let config: Config = { ...stored }
  const missing: string[] = []
  for (const field of fields) {
    const { key, required, isSecret, defaultValue } = field
    const variable = connectorVariableName(target, ...key.split('.'))
    const text = typed.get(key) ?? (environment.env[variable] || undefined)
    const storedValue = readConfigValue(config, key)
    const isAsked = required || isSecret || key.includes('.')
    const entered =
      text !== undefined
        ? parseValue(field, readContent(text, environment))
        : terminal.isInteractive && isAsked
          ? await askUntilValid(field, storedValue, { terminal, environment })
          : undefined
    const value = entered ?? storedValue ?? (required ? defaultValue : undefined)
    if (value !== undefined) config = writeConfigValue(config, key, value)
    else if (required) missing.push(isSecret ? variable : `--field ${key}=…`)
  }
  if (missing.length > 0) throw new UsageError(`These fields are missing: ${missing.join(', ')}`)
  return config
}

function parseOptions(fields: readonly Field[], options: readonly string[]): Map<string, string> {
  const typed = options.map((option): [string, string] => {
    const [, key = '', text = ''] = /^([^=]+)=([\s\S]*)$/.exec(option) ?? []
    const field = fields.find((candidate) => candidate.key === key)
    if (!field)
      throw new UsageError(
        `There is no field "${key || option}". Choose from: ${fields.map((one) => one.key).join(', ')}`,
      )
    // Secrets cannot be arguments, because other users of the machine can see a command's arguments.
    if (field.isSecret && !text.startsWith('@'))
      throw new UsageError(
        `${key} is a secret. Use --field ${key}=@FILE, set a variable, or run the command at a terminal.`,
      )
    return [key, text]
  })
  return new Map(typed)
}

/** Returns the text, or the content of the file for `@file`. */
function readContent(text: string, { folder }: Environment): string {
  if (!text.startsWith('@')) return text
  try {
    return readFileSync(path.resolve(folder, text.slice(1)), 'utf8').trimEnd()
  } catch {
    throw new UsageError(`We couldn't read the file ${text.slice(1)}.`)
  }
}

/**
 * Asks until the input is valid, so that users don't lose what they have entered for other fields. Returns undefined
 * to keep the current value.
 */
async function askUntilValid(
  field: Field,
  stored: unknown,
  { terminal, environment }: { terminal: Terminal; environment: Environment },
): Promise<unknown> {
  const { label, required, type, defaultValue } = field
  for (;;) {
    const answer = await ask(field, stored, terminal)
    if (answer !== '') {
      try {
        const text = type === 'MultilineText' ? readContent(`@${answer}`, environment) : answer
        return parseValue(field, text)
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        terminal.warn(error.message)
      }
    } else if (required && (stored ?? defaultValue) === undefined) terminal.warn(`${label} is required.`)
    else return undefined
  }
}

function ask(
  { key, label, type, isSecret, placeholder, defaultValue, selectItems }: Field,
  stored: unknown,
  terminal: Terminal,
) {
  const currentValue = isSecret ? stored && 'unchanged' : (stored ?? defaultValue)
  const choice = selectItems?.map(({ value }) => value).join(', ')
  const example = choice ? `one of ${choice}` : placeholder && `e.g. ${placeholder}`
  const hint = currentValue === undefined ? example : String(currentValue)
  const file = type === 'MultilineText' ? ', the path of a file' : ''
  return terminal.ask(`${label} (${key}${file})${hint ? ` [${hint}]` : ''}: `, {
    isSecret: isSecret === true && !file,
  })
}

function parseValue({ key, type, selectItems = [] }: Field, text: string): unknown {
  switch (type) {
    case 'Number': {
      const number = Number(text)
      return Number.isFinite(number) ? number : rejectValue(key, 'a number')
    }
    case 'Switch':
      return text === 'true' || text === 'false' ? text === 'true' : rejectValue(key, 'true or false')
    case 'Select':
      return selectItems.some(({ value }) => value === text)
        ? text
        : rejectValue(key, `one of ${selectItems.map(({ value }) => value).join(', ')}`)
    case 'Json':
      return parseJson(text) ?? rejectValue(key, 'JSON')
    case 'Text':
    case 'MultilineText':
      return text
  }
}

function rejectValue(key: string, expected: string): never {
  throw new UsageError(`${key} has to be ${expected}.`)
}
