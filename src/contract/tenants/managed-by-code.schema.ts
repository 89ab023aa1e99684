import { z } from 'zod'
import { isRecord } from '../is-record.ts'

/** The sections of a settings file (spec/management#settings-as-code). */
const sections = [
  'experience',
  'settings',
  'connectors',
  'resources',
  'roles',
  'applications',
  'hooks',
  'phrases',
  'organizationScopes',
  'organizationRoles',
] as const

/** The settings state that was applied last (spec/management#managed-by-code). `appliedAt` is in epoch milliseconds. */
const Mark = z.object({
  sections: z.array(z.enum(sections)),
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/, 'must consist of 64 hexadecimal digits'),
  appliedAt: z.int(),
})

/**
 * The response of GET /configs/code. For a tenant that is not managed by code, it has no sections, no fingerprint and
 * no time.
 */
export const ManagedByCode = Mark.extend({
  fingerprint: Mark.shape.fingerprint.nullable(),
  appliedAt: Mark.shape.appliedAt.nullable(),
})

/** The body of PUT /configs/code. */
export const ManagedByCodeBody = z
  .strictObject({
    sections: Mark.shape.sections.min(1).max(sections.length),
    fingerprint: Mark.shape.fingerprint,
  })
  .meta({ id: 'ManagedByCodeRecord' })

/**
 * Reads a stored entry. Sections that this version does not know are left out, and an entry that cannot be parsed is
 * treated as missing.
 */
export function readManagedByCode(stored: unknown): z.output<typeof ManagedByCode> {
  const readable =
    isRecord(stored) && Array.isArray(stored.sections)
      ? { ...stored, sections: sections.filter((section) => includes(stored.sections, section)) }
      : null
  const mark = Mark.safeParse(readable)
  return mark.success ? mark.data : { sections: [], fingerprint: null, appliedAt: null }
}

const includes = (list: unknown, value: string) => Array.isArray(list) && list.includes(value)
