import { z } from 'zod'
import { isRecord } from '../contract/is-record.ts'

type Schema = z.core.$ZodType

/** An unknown key in the object at `path`. */
type UnknownKey = { path: readonly (string | number)[]; key: string }

/**
 * Returns the keys of a configuration that its connector does not use. Only new configurations are checked
 * (spec/connectors#unknown-keys), so existing ones continue to work.
 */
export function findUnknownKeys(schema: Schema, value: unknown, path: UnknownKey['path'] = []): UnknownKey[] {
  if (schema instanceof z.ZodPipe) return findUnknownKeys(schema.in, value, path)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return findUnknownKeys(schema.def.innerType, value, path)
  }
  if (schema instanceof z.ZodUnion) {
    const variant = schema.options.find((option) => z.safeParse(option, value).success)
    return variant ? findUnknownKeys(variant, value, path) : []
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item, index) => findUnknownKeys(schema.element, item, [...path, index]))
  }
  if (!(schema instanceof z.ZodObject && isRecord(value))) return []
  const fields = new Map<string, Schema>(Object.entries(schema.shape))
  return Object.entries(value).flatMap(([key, inner]) => {
    const field = fields.get(key)
    return field ? findUnknownKeys(field, inner, [...path, key]) : [{ path, key }]
  })
}
