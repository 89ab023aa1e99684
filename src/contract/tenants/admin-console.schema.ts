import { z } from 'zod'

/** The onboarding checklist of a console (spec/management#admin-console). */
const steps = [
  'livePreviewChecked',
  'applicationCreated',
  'signInExperienceCustomized',
  'passwordlessConfigured',
  'communityChecked',
  'furtherReadingsChecked',
  'roleCreated',
  'm2mApplicationCreated',
] as const

export const AdminConsole = z.record(z.enum(steps), z.boolean())
export const AdminConsolePatch = z.partialRecord(z.enum(steps), z.boolean()).meta({ id: 'AdminConsole' })

/** Reads a stored checklist. Another version may have written it, so missing steps are treated as not done. */
export const readAdminConsole = (stored: Record<string, unknown> | null) =>
  AdminConsole.parse(Object.fromEntries(steps.map((step) => [step, stored?.[step] === true])))
