import type { z } from 'zod'
import type {
  ConnectorFactorySchema,
  ConnectorSchema,
} from '../../../src/contract/connectors/connectors.schema.ts'
import { SECRET_PLACEHOLDER } from '../../../src/contract/connectors/connectors.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { createOneTimeStore } from '../../hand-over.ts'

export type Factory = z.infer<typeof ConnectorFactorySchema>
export type Connector = z.infer<typeof ConnectorSchema>
export type Item = Factory['formItems'][number]
/** Those that were installed just now: their page checks the credentials at once. */
export const newConnectors = createOneTimeStore<true>()

/** Null is the same as absent. */
export type Config = Readonly<Record<string, unknown>>

/** What a field of a configuration holds: text, or whether a switch is on. */
export type FieldInput = string | boolean
export type Inputs = Readonly<Record<string, FieldInput>>

/** A configuration before anything is typed. */
export const defaultConfig = (items: readonly Item[]): Config =>
  Object.fromEntries(
    items.map(({ key, type, defaultValue = null }) => [
      key,
      type === 'Switch' ? defaultValue === true : defaultValue,
    ]),
  )

/** The field of a value. A stored secret is not there (spec/connectors#connector-secrets): its field is empty. */
export function toInput({ type, isSecret }: Item, value: unknown): FieldInput {
  if (type === 'Switch') return value === true
  if (value === undefined || value === null || (isSecret && value === SECRET_PLACEHOLDER)) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, type === 'Json' ? 2 : 0)
}

/** The value of a field; null for an empty one. An empty field of a stored secret keeps it. JSON that is none stays text. */
export function toValue({ key, type, isSecret }: Item, input: FieldInput, stored: Config | null): unknown {
  if (typeof input === 'boolean') return input
  const text = type === 'MultilineText' ? input : input.trim()
  if (text === '') return isSecret && isSet(stored?.[key]) ? SECRET_PLACEHOLDER : null
  switch (type) {
    case 'Number':
      return Number.isFinite(Number(text)) ? Number(text) : text
    case 'Json':
      return parseJsonOrText(text)
    case 'Text':
    case 'MultilineText':
    case 'Select':
    case 'Switch':
      return text
  }
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Whether a field is shown beside what the others hold. */
export const isItemVisible = ({ showConditions = [] }: Item, inputs: Inputs): boolean =>
  showConditions.every(({ targetKey, expectValue }) => inputs[targetKey] === expectValue)

type Fault = 'json' | 'required'

/** What is wrong with fields that are shown, by key, as far as it can be said without the server. */
export function findFaults(items: readonly Item[], config: Config): Readonly<Record<string, Fault>> {
  const problems = visibleItems(items, config).flatMap(({ key, type, required }): [string, Fault][] => {
    if (type === 'Json' && typeof config[key] === 'string' && config[key] !== SECRET_PLACEHOLDER)
      return [[key, 'json']]
    return required && !isSet(config[key]) ? [[key, 'required']] : []
  })
  return Object.fromEntries(problems)
}

/** Whether a text begins or ends otherwise than every value of its field does (spec/connectors#form-items). */
export function looksUnusual({ placeholder = '', type }: Item, input: FieldInput): boolean {
  const text = typeof input === 'string' ? input.trim() : ''
  const [start = '', end, ...more] = placeholder.split('…')
  if (type !== 'Text' || text === '' || end === undefined || more.length > 0) return false
  return !text.startsWith(start) || !text.endsWith(end)
}

const visibleItems = (items: readonly Item[], config: Config) => {
  const inputs = Object.fromEntries(items.map((item) => [item.key, toInput(item, config[item.key])]))
  return items.filter((item) => isItemVisible(item, inputs))
}

/** Of values that belong to a field that is not shown: they are not sent, and removed from what is stored. */
export function clearHiddenValues(items: readonly Item[], config: Config): Config {
  const visible = visibleItems(items, config)
  const hidden = items.filter((item) => isSet(config[item.key]) && !visible.includes(item))
  return Object.fromEntries(hidden.map(({ key }) => [key, null]))
}

/**
 * A configuration as it is sent. Keys that have no field are kept: settings as code and the API may set more than a form shows.
 */
export const configToSend = (items: readonly Item[], config: Config): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({ ...config, ...clearHiddenValues(items, config) }).filter(([, value]) => isSet(value)),
  )

export const isSet = (value: unknown) => value !== undefined && value !== null

/** What the server says about a field, by its key: of the check of its factory, or of the body of the request. */
export function configProblems(problem: ApiProblem | null): Readonly<Record<string, string>> {
  const { issues } = (problem?.data ?? {}) as { issues?: unknown }
  if (!Array.isArray(issues)) return {}
  const problems: Record<string, string> = {}
  for (const issue of issues as { path?: unknown; message?: unknown }[]) {
    const path = Array.isArray(issue.path) ? issue.path.map(String) : String(issue.path ?? '').split('.')
    const [key] = path[0] === 'config' ? path.slice(1) : path
    if (key) problems[key] ??= String(issue.message)
  }
  return problems
}

/** An id that no connector has: the name of the provider, which the callback address then shows. */
export function chooseFreeId(target: string, usedIds: readonly string[]): string {
  const base = target.replaceAll(/[^\w-]/g, '-')
  const more = usedIds.map((_, at) => `${base}-${at + 2}`)
  return [base, ...more].find((id) => !usedIds.includes(id)) ?? base
}
