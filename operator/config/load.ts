import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { z } from 'zod'
import type { Environment } from '../environment.ts'
import { Failure, UsageError } from '../failure.ts'
import { Config } from './file.schema.ts'
import { resolveSecrets, type Secrets } from './secrets.ts'

export const DEFAULT_FILE = 'vestibule.config.ts'

/** A settings file, judged as a whole: what the management API would refuse is refused here, before anything is changed. */
export async function loadConfig(
  name: string,
  { env, folder }: Pick<Environment, 'env' | 'folder'>,
): Promise<{ config: Config; secrets: Secrets }> {
  const file = path.resolve(folder, name)
  if (!existsSync(file)) throw new UsageError(`There is no file ${name}. "config export" writes one.`)
  const { value, secrets } = resolveSecrets(await contentOf(file, name), env)
  return { config: judged(value, name), secrets }
}

export function judged(file: unknown, name: string): Config {
  const parsed = Config.safeParse(file)
  if (!parsed.success)
    throw new Failure(`${name} is not accepted: ${explained(parsed.error.issues).join('; ')}.`)
  const [stray] = strayKeys(file, parsed.data)
  if (stray) throw new Failure(`${name} is not accepted: nothing is called ${stray}.`)
  return parsed.data
}

/** Each with its place; a key that is wrong says why in issues of its own. */
const explained = (issues: readonly z.core.$ZodIssue[]): string[] =>
  issues.flatMap((issue) => {
    const inner = issue.code === 'invalid_key' || issue.code === 'invalid_element' ? issue.issues : []
    const messages = inner.length > 0 ? inner.map(({ message }) => message) : [issue.message]
    return messages.map((message) => `${issue.path.join('.') || 'the file'} ${message}`)
  })

async function contentOf(file: string, name: string): Promise<unknown> {
  try {
    if (file.endsWith('.json')) return JSON.parse(readFileSync(file, 'utf8'))
    const module: { default?: unknown } = await import(pathToFileURL(file).href)
    if (module.default !== undefined) return module.default
  } catch (error) {
    throw new Failure(`${name} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
  throw new Failure(`${name} has no default export.`)
}

/** What a schema drops in silence is most likely a slip of the pen: a setting that would seem to be set. */
export function strayKeys(given: unknown, understood: unknown, place = ''): string[] {
  if (typeof given !== 'object' || given === null) return []
  if (typeof understood !== 'object' || understood === null) return []
  return Object.entries(given).flatMap(([key, value]): string[] => {
    const here = place === '' ? key : `${place}.${key}`
    if (value === undefined || value === '') return []
    if (!(key in understood)) return [here]
    return strayKeys(value, Reflect.get(understood, key), here)
  })
}
