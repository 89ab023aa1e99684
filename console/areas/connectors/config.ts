import type { z } from 'zod'
import type {
  ConnectorFactorySchema,
  ConnectorSchema,
} from '../../../src/contract/connectors/connectors.schema.ts'
import { SECRET_PLACEHOLDER } from '../../../src/contract/connectors/connectors.ts'
import { readConfigValue, writeConfigValue } from '../../../src/domain/connectors/config-value.ts'
import { isDeepEqual, isObject } from '../../api/changes.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { createOneTimeStore } from '../../hand-over.ts'
import type { CheckResult } from './verdict.ts'

export type Factory = z.infer<typeof ConnectorFactorySchema>
export type Connector = z.infer<typeof ConnectorSchema>
export type FormItem = Factory['formItems'][number]
/**
 * The connectors that were just installed. Their pages show the result of the check before the installation, or check
 * the credentials immediately.
 */
export const newConnectors = createOneTimeStore<{ checked: CheckResult | null }>()

/** The configuration of a connector. Null is equivalent to an absent key. */
export type Config = Readonly<Record<string, unknown>>

/** The input of a field: its text, or whether a switch is on. */
export type FieldInput = string | boolean
export type Inputs = Readonly<Record<string, FieldInput>>

/** Returns the initial configuration of a factory, before the user has typed anything. */
export const defaultConfig = (items: readonly FormItem[]): Config =>
  items.reduce<Config>(
    (config, item) =>
      item.defaultValue === undefined && item.type !== 'Switch' && item.key.includes('.')
        ? config
        : writeConfigValue(config, item.key, initialValue(item)),
    {},
  )

const initialValue = ({ type, defaultValue = null }: FormItem): unknown =>
  type === 'Switch' ? defaultValue === true : defaultValue

/**
 * Returns the field input for a stored value. The API doesn't return stored secrets
 * (spec/connectors#connector-secrets), so their fields are empty.
 */
export function toInput({ type, isSecret }: FormItem, value: unknown): FieldInput {
  if (type === 'Switch') return value === true
  if (value === undefined || value === null || (isSecret && value === SECRET_PLACEHOLDER)) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, type === 'Json' ? 2 : 0)
}

/**
 * Returns the value for a field's input, or null if the input is empty. An empty field keeps a stored secret. Invalid
 * JSON is returned as text.
 */
export function parseFieldValue(
  { key, type, isSecret }: FormItem,
  input: FieldInput,
  stored: Config | null,
): unknown {
  if (typeof input === 'boolean') return input
  const text = type === 'MultilineText' ? input : input.trim()
  if (text === '') return isSecret && hasValue(stored, key) ? SECRET_PLACEHOLDER : null
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

/** Tells whether a field is visible, which can depend on the values of other fields. */
export const isItemVisible = ({ showConditions = [] }: FormItem, inputs: Inputs): boolean =>
  showConditions.every(({ targetKey, expectValue }) => inputs[targetKey] === expectValue)

type Fault = 'json' | 'required'

/** Returns the problems of the visible fields, by key, that the console can detect without the server. */
export function findFaults(items: readonly FormItem[], config: Config): Readonly<Record<string, Fault>> {
  const problems = visibleItems(items, config).flatMap(({ key, type, required }): [string, Fault][] => {
    const value = readConfigValue(config, key)
    if (type === 'Json' && typeof value === 'string' && value !== SECRET_PLACEHOLDER) return [[key, 'json']]
    return required && !isSet(value) ? [[key, 'required']] : []
  })
  return Object.fromEntries(problems)
}

/**
 * Tells whether a text lacks the prefix or suffix of the values that the field is meant for
 * (spec/connectors#form-items).
 */
export function looksUnusual({ placeholder = '', type }: FormItem, input: FieldInput): boolean {
  const text = typeof input === 'string' ? input.trim() : ''
  const [start = '', end, ...more] = placeholder.split('…')
  if (type !== 'Text' || text === '' || end === undefined || more.length > 0) return false
  return !text.startsWith(start) || !text.endsWith(end)
}

const visibleItems = (items: readonly FormItem[], config: Config) => {
  const inputs = Object.fromEntries(
    items.map((item) => [item.key, toInput(item, readConfigValue(config, item.key))]),
  )
  return items.filter((item) => isItemVisible(item, inputs))
}

/** Checks whether a configuration has a value for the form item with this key. */
export const hasValue = (config: Config | null, key: string): boolean =>
  config !== null && isSet(readConfigValue(config, key))

/** Checks whether the configuration has another value for an item than a new connector. */
export const isCustomized = (item: FormItem, config: Config | null): boolean =>
  hasValue(config, item.key) && !isDeepEqual(readConfigValue(config ?? {}, item.key), initialValue(item))

/**
 * Returns null for every value of a hidden field, so that hidden values aren't sent and stored ones are removed.
 */
export function clearHiddenValues(items: readonly FormItem[], config: Config): Config {
  const visible = visibleItems(items, config)
  const hidden = items.filter((item) => hasValue(config, item.key) && !visible.includes(item))
  return Object.fromEntries(hidden.map(({ key }) => [key, null]))
}

/**
 * Returns a configuration in the form in which it is sent. It keeps keys that have no field, because the API and
 * settings as code can set more than the form shows. An empty secret keeps the stored one.
 */
export function buildConfigBody(
  items: readonly FormItem[],
  config: Config,
  stored: Config | null = null,
): Record<string, unknown> {
  const complete = items
    .filter(({ key, isSecret }) => isSecret && !hasValue(config, key) && hasValue(stored, key))
    .reduce<Config>((before, { key }) => writeConfigValue(before, key, SECRET_PLACEHOLDER), config)
  return Object.fromEntries(
    Object.entries({ ...complete, ...clearHiddenValues(items, complete) }).flatMap(([key, value]) => {
      const parts = items.filter((item) => item.key.startsWith(`${key}.`))
      const sent = parts.length > 0 && isObject(value) ? buildObject(key, value, parts) : value
      return isSet(sent) ? [[key, sent]] : []
    }),
  )
}

/**
 * Returns the object that several fields fill in, or null if they are all empty. A stored secret has no meaning without
 * the other fields.
 */
function buildObject(key: string, value: Config, parts: readonly FormItem[]): unknown {
  const typed = parts.filter((item) => {
    const part = readConfigValue({ [key]: value }, item.key)
    return isSet(part) && !(item.isSecret && part === SECRET_PLACEHOLDER)
  })
  return typed.length === 0
    ? null
    : Object.fromEntries(Object.entries(value).filter(([, part]) => isSet(part)))
}

const isSet = (value: unknown) => value !== undefined && value !== null

/**
 * Returns the problems that the server reported, by field: the key of a property, and the path of a property of an
 * object. They come from the factory's validation or from that of the request body.
 */
export function configProblems(problem: ApiProblem | null): Readonly<Record<string, string>> {
  const { issues } = (problem?.data ?? {}) as { issues?: unknown }
  if (!Array.isArray(issues)) return {}
  const problems: Record<string, string> = {}
  for (const issue of issues as { path?: unknown; message?: unknown }[]) {
    const path = Array.isArray(issue.path) ? issue.path.map(String) : String(issue.path ?? '').split('.')
    const [key, inner] = path[0] === 'config' ? path.slice(1) : path
    if (key) problems[key] ??= String(issue.message)
    if (key && inner) problems[`${key}.${inner}`] ??= String(issue.message)
  }
  return problems
}
