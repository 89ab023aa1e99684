import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { z } from 'zod'
import type { Environment } from '../environment.ts'
import { CommandFailure, UsageError } from '../failure.ts'
import { SettingsFile } from './file.schema.ts'
import { resolveSecrets, type Secrets } from './secrets.ts'

export const DEFAULT_FILE = 'vestibule.config.ts'

/**
 * Reads and validates a settings file. Anything that the API would reject is found here, before any change is made.
 */
export async function loadConfig(
  name: string,
  { env, folder }: Pick<Environment, 'env' | 'folder'>,
): Promise<{ config: SettingsFile; secrets: Secrets }> {
  const file = path.resolve(folder, name)
  if (!existsSync(file))
    throw new UsageError(`The file ${name} doesn't exist. Create it with "npm run config -- export".`)
  const { value, secrets } = resolveSecrets(await readContent(file, name), env)
  return { config: parseConfig(value, name), secrets }
}

export function parseConfig(file: unknown, name: string): SettingsFile {
  const parsed = SettingsFile.safeParse(file)
  if (!parsed.success)
    throw new CommandFailure(`${name} is invalid: ${describeIssues(parsed.error.issues).join('; ')}.`)
  const [unknownKey] = findUnknownKeys(file, parsed.data)
  if (unknownKey) throw new CommandFailure(`${name} is invalid: there is no setting ${unknownKey}.`)
  return parsed.data
}

/** Returns a message that contains the path of each issue. The issues of an invalid key are nested. */
const describeIssues = (issues: readonly z.core.$ZodIssue[]): string[] =>
  issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => `there is no setting ${[...issue.path, key].join('.')}`)
    const inner = issue.code === 'invalid_key' || issue.code === 'invalid_element' ? issue.issues : []
    const messages = inner.length > 0 ? inner.map(({ message }) => message) : [issue.message]
    return messages.map((message) => `${issue.path.join('.') || 'the file'} ${message}`)
  })

async function readContent(file: string, name: string): Promise<unknown> {
  try {
    if (file.endsWith('.json')) return JSON.parse(readFileSync(file, 'utf8'))
    const module: { default?: unknown } = await import(pathToFileURL(file).href)
    if (module.default !== undefined) return module.default
  } catch (error) {
    throw new CommandFailure(`We couldn't read ${name}: ${error instanceof Error ? error.message : error}`)
  }
  throw new CommandFailure(`${name} has no default export. Add "export default defineConfig({ … })".`)
}

/** Finds keys that the schema drops. They are probably typos. */
function findUnknownKeys(input: unknown, parsed: unknown, place = ''): string[] {
  if (typeof input !== 'object' || input === null) return []
  if (typeof parsed !== 'object' || parsed === null) return []
  return Object.entries(input).flatMap(([key, value]): string[] => {
    const here = place === '' ? key : `${place}.${key}`
    if (value === undefined || value === '') return []
    if (!(key in parsed)) return [here]
    return findUnknownKeys(value, Reflect.get(parsed, key), here)
  })
}
