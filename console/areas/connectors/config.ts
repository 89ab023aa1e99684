import type { z } from 'zod'
import type { ConnectorFactorySchema, ConnectorSchema } from '../../../src/contract/connectors.schema.ts'
import { SECRET_PLACEHOLDER } from '../../../src/contract/connectors.ts'
import type { ApiProblem } from '../../api/problem.ts'

export type Factory = z.infer<typeof ConnectorFactorySchema>
export type Connector = z.infer<typeof ConnectorSchema>
export type Item = Factory['formItems'][number]
export type Config = Readonly<Record<string, unknown>>

/** What the fields of a configuration hold: text, or whether a switch is on. */
export type Inputs = Readonly<Record<string, string | boolean>>

/** Fields for a stored configuration. A stored secret is not there (spec/connectors#connector-secrets): its field is empty. */
export function inputsOf(items: readonly Item[], stored: Config | null): Inputs {
  return Object.fromEntries(items.map((item) => [item.key, inputOf(item, stored)]))
}

function inputOf({ key, type, defaultValue, isSecret }: Item, stored: Config | null): string | boolean {
  const value = stored ? stored[key] : defaultValue
  if (type === 'Switch') return value === true
  if (value === undefined || value === null || (isSecret && value === SECRET_PLACEHOLDER)) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, type === 'Json' ? 2 : 0)
}

/** Whether a field is shown beside what the others hold. */
export const isShown = ({ showConditions = [] }: Item, inputs: Inputs): boolean =>
  showConditions.every(({ targetKey, expectValue }) => inputs[targetKey] === expectValue)

type Fault = 'json' | 'required'

/** The configuration that the fields stand for, or what is wrong with them, by key. */
export type Reading =
  | { kind: 'config'; config: Record<string, unknown> }
  | { kind: 'faults'; faults: Readonly<Record<string, Fault>> }

/**
 * An empty field of a stored secret keeps the secret. Keys that have no field are kept: settings as code and the API may set
 * more than a form shows.
 */
export function readConfig(items: readonly Item[], inputs: Inputs, stored: Config | null): Reading {
  const withoutField = Object.entries(stored ?? {}).filter(([key]) => items.every((item) => item.key !== key))
  const config: Record<string, unknown> = Object.fromEntries(withoutField)
  const faults: Record<string, Fault> = {}
  for (const item of items) {
    if (!isShown(item, inputs)) continue
    const value = readInput(item, inputs[item.key] ?? '', stored)
    if (value === NO_JSON) faults[item.key] = 'json'
    else if (value !== undefined) config[item.key] = value
    else if (item.required) faults[item.key] = 'required'
  }
  return Object.keys(faults).length > 0 ? { kind: 'faults', faults } : { kind: 'config', config }
}

const NO_JSON = Symbol('no JSON')

function readInput({ key, type, isSecret }: Item, input: string | boolean, stored: Config | null): unknown {
  if (typeof input === 'boolean') return input
  const text = type === 'MultilineText' ? input : input.trim()
  if (text === '') return isSecret && stored?.[key] !== undefined ? SECRET_PLACEHOLDER : undefined
  switch (type) {
    case 'Number':
      return Number.isFinite(Number(text)) ? Number(text) : text
    case 'Json':
      return readJson(text)
    case 'Text':
    case 'MultilineText':
    case 'Select':
    case 'Switch':
      return text
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return NO_JSON
  }
}

/** What the server says about a field, by its key: of the check of its factory, or of the body of the request. */
export function configProblems(problem: ApiProblem | null): Readonly<Record<string, string>> {
  const { issues } = (problem?.data ?? {}) as { issues?: unknown }
  if (!Array.isArray(issues)) return {}
  const found: Record<string, string> = {}
  for (const issue of issues as { path?: unknown; message?: unknown }[]) {
    const path = Array.isArray(issue.path) ? issue.path.map(String) : String(issue.path ?? '').split('.')
    const [key] = path[0] === 'config' ? path.slice(1) : path
    if (key) found[key] ??= String(issue.message)
  }
  return found
}

/** An id that no connector has: the name of the provider, which the callback address then shows. */
export function freeId(target: string, taken: readonly string[]): string {
  const base = target.replaceAll(/[^\w-]/g, '-')
  const more = taken.map((_, at) => `${base}-${at + 2}`)
  return [base, ...more].find((id) => !taken.includes(id)) ?? base
}
