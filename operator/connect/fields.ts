import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import type { ConnectorFactorySchema } from '../../src/contract/connectors/connectors.schema.ts'
import { parseJson } from '../config/json.ts'
import { connectorVariable } from '../config/secret-names.ts'
import type { Environment } from '../environment.ts'
import { UsageError } from '../failure.ts'
import type { Terminal } from '../terminal.ts'

type Field = z.output<typeof ConnectorFactorySchema>['formItems'][number]
export type Config = Record<string, unknown>

type FieldSources = {
  /** `name=value` or `name=@file`, as typed. */
  options: readonly string[]
  /** Of the variables of its secrets. */
  target: string
  /** What is installed; secrets are placeholders. */
  stored: Config
}

/** The configuration of a connector: from options, variables, what is stored, and the answers of a user at a terminal. */
export async function readFields(
  fields: readonly Field[],
  { options, target, stored }: FieldSources,
  { terminal, environment }: { terminal: Terminal; environment: Environment },
): Promise<Config> {
  const typed = typedFields(fields, options)
  const config: Config = { ...stored }
  const missing: string[] = []
  for (const field of fields) {
    const { key, required, isSecret, defaultValue } = field
    const variable = connectorVariable(target, key)
    const text = typed.get(key) ?? (environment.env[variable] || undefined)
    if (text !== undefined) config[key] = parsedValue(field, contentOf(text, environment))
    else if (terminal.isInteractive && (required || isSecret)) {
      config[key] = (await answerOf(field, config[key], { terminal, environment })) ?? config[key]
    }
    if (config[key] === undefined && required && defaultValue !== undefined) config[key] = defaultValue
    if (config[key] === undefined && required) missing.push(isSecret ? variable : `--field ${key}=…`)
  }
  if (missing.length > 0) throw new UsageError(`These fields are missing: ${missing.join(', ')}`)
  return config
}

function typedFields(fields: readonly Field[], options: readonly string[]): Map<string, string> {
  const typed = options.map((option): [string, string] => {
    const [, key = '', text = ''] = /^([^=]+)=([\s\S]*)$/.exec(option) ?? []
    const field = fields.find((candidate) => candidate.key === key)
    if (!field)
      throw new UsageError(`"${key || option}" is no field: ${fields.map((one) => one.key).join(', ')}`)
    // Arguments are visible to all users of a machine.
    if (field.isSecret && !text.startsWith('@'))
      throw new UsageError(
        `${key} is a secret: give it by --field ${key}=@FILE, by a variable, or at a terminal.`,
      )
    return [key, text]
  })
  return new Map(typed)
}

/** `@file` stands for what is in the file. */
function contentOf(text: string, { folder }: Environment): string {
  if (!text.startsWith('@')) return text
  try {
    return readFileSync(path.resolve(folder, text.slice(1)), 'utf8').trimEnd()
  } catch {
    throw new UsageError(`The file ${text.slice(1)} cannot be read.`)
  }
}

/** Asked again until it can be read: whoever has typed several fields does not begin anew. Undefined keeps what there is. */
async function answerOf(
  field: Field,
  stored: unknown,
  { terminal, environment }: { terminal: Terminal; environment: Environment },
): Promise<unknown> {
  const { label, required, type, defaultValue } = field
  for (;;) {
    const answer = await ask(field, stored, terminal)
    if (answer !== '') {
      try {
        const text = type === 'MultilineText' ? contentOf(`@${answer}`, environment) : answer
        return parsedValue(field, text)
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        terminal.warn(error.message)
      }
    } else if (required && (stored ?? defaultValue) === undefined) terminal.warn(`${label} is needed.`)
    else return undefined
  }
}

function ask(
  { key, label, type, isSecret, placeholder, defaultValue, selectItems }: Field,
  stored: unknown,
  terminal: Terminal,
) {
  const usual = isSecret ? stored && 'unchanged' : (stored ?? defaultValue)
  const choice = selectItems?.map(({ value }) => value).join(', ')
  const example = choice ? `one of ${choice}` : placeholder && `e.g. ${placeholder}`
  const hint = usual === undefined ? example : String(usual)
  const file = type === 'MultilineText' ? ', the path of a file' : ''
  return terminal.ask(`${label} (${key}${file})${hint ? ` [${hint}]` : ''}: `, {
    isSecret: isSecret === true && !file,
  })
}

function parsedValue({ key, type, selectItems = [] }: Field, text: string): unknown {
  switch (type) {
    case 'Number': {
      const number = Number(text)
      return Number.isFinite(number) ? number : refuse(key, 'a number')
    }
    case 'Switch':
      return text === 'true' || text === 'false' ? text === 'true' : refuse(key, 'true or false')
    case 'Select':
      return selectItems.some(({ value }) => value === text)
        ? text
        : refuse(key, `one of ${selectItems.map(({ value }) => value).join(', ')}`)
    case 'Json':
      return parseJson(text) ?? refuse(key, 'JSON')
    case 'Text':
    case 'MultilineText':
      return text
  }
}

function refuse(key: string, expected: string): never {
  throw new UsageError(`${key} has to be ${expected}.`)
}
