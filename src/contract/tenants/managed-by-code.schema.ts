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
] as const

/** What was applied last (spec/management#managed-by-code). `appliedAt` is in epoch milliseconds. */
const Mark = z.object({
  sections: z.array(z.enum(sections)),
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  appliedAt: z.int(),
})

/** GET /configs/code. A tenant that is not managed by code has no sections, no fingerprint and no time. */
export const ManagedByCode = Mark.extend({
  fingerprint: Mark.shape.fingerprint.nullable(),
  appliedAt: Mark.shape.appliedAt.nullable(),
})

/** PUT /configs/code. */
export const ManagedByCodeBody = z.strictObject({
  sections: Mark.shape.sections.min(1).max(sections.length),
  fingerprint: Mark.shape.fingerprint,
})

/** A stored entry. Sections that only a newer version knows are left out; what cannot be read is no mark. */
export function readManagedByCode(stored: unknown): z.output<typeof ManagedByCode> {
  const readable =
    isRecord(stored) && Array.isArray(stored.sections)
      ? { ...stored, sections: sections.filter((section) => isIn(stored.sections, section)) }
      : null
  const mark = Mark.safeParse(readable)
  return mark.success ? mark.data : { sections: [], fingerprint: null, appliedAt: null }
}

const isIn = (list: unknown, value: string) => Array.isArray(list) && list.includes(value)
