import { z } from 'zod'
import type { Schema } from '../api/requests-from-schemas.ts'

/** The parts of an OpenAPI document that tests read. */

export type Operation = {
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string; schema?: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export type OpenApi = {
  security: Record<string, string[]>[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Returns the document with each reference to a schema replaced with the schema. */
export function withoutReferences(document: OpenApi): OpenApi {
  const inline = (_: string, value: unknown): unknown => {
    const reference = typeof value === 'object' && value !== null && '$ref' in value ? String(value.$ref) : ''
    const schema = document.components.schemas[reference.split('/').at(-1) ?? '']
    return schema ? JSON.parse(JSON.stringify(schema), inline) : value
  }
  return JSON.parse(JSON.stringify(document), inline)
}

/**
 * Returns a function that creates and caches schema validators. `revive` is passed to JSON.parse and can make
 * schemas stricter.
 */
export function schemaChecks(
  { components }: Pick<OpenApi, 'components'>,
  revive?: Parameters<typeof JSON.parse>[1],
): (schema: Schema) => z.ZodType {
  const checks = new Map<Schema, z.ZodType>()
  return (schema) => {
    const cached = checks.get(schema)
    if (cached) return cached
    const $defs = components.schemas
    // A standalone schema references `definitions` instead of the document's `components`.
    const text = JSON.stringify({ ...schema, $defs }).replaceAll('#/components/schemas/', '#/$defs/')
    const check = z.fromJSONSchema(JSON.parse(text, revive))
    checks.set(schema, check)
    return check
  }
}
