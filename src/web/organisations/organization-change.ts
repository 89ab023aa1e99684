import type { z } from 'zod'
import { createTranslator, type PhraseKey } from '../../../client/context/phrases.ts'
import { type AccountPhraseKey, loadAccountPhrases } from '../../contract/account/account-catalogue.ts'
import type { PageView } from '../account/page.ts'
import { FieldProblem } from '../account/problem.ts'
import type { OpenSubmission } from '../account/submission.ts'
import { organizationIdIn } from './organization-visit.ts'

/**
 * Begins a change that a user makes as a member of an organisation. The use cases check what the member's roles permit,
 * before the change and again in its batch.
 */
export function beginMemberChange(
  submission: OpenSubmission,
  key: string,
  {
    organizationId = organizationIdIn(submission.url),
    ...details
  }: Record<string, unknown> & {
    /** By default, that of the page. */
    organizationId?: string
  } = {},
) {
  const { tenantId, audit, background } = submission.beginChange(key, { organizationId, ...details })
  const { id } = submission.signedIn.user
  return {
    tenantId,
    organizationId,
    by: { kind: 'member', userId: id },
    audit,
    hooks: { actor: { type: 'user', id }, background },
  } as const
}

/** Returns the trimmed value of a form's field, which is empty if the form lacks the field. */
export const textOf = ({ form }: OpenSubmission, name: string): string => form.get(name)?.trim() ?? ''

/** Returns the translator for the phrases of the account centre and the sign-in pages in the user's language. */
export async function createFormTranslator({ boot }: OpenSubmission) {
  const page = await boot()
  const phrases = { ...page.phrases, ...(await loadAccountPhrases(page.language)) }
  return createTranslator<AccountPhraseKey | PhraseKey>({ ...page, phrases })
}

/** Parses the values of a form. A value that the schema rejects is reported next to its field. */
export async function parseFields<T>(
  submission: OpenSubmission,
  {
    schema,
    values,
    labels,
  }: {
    schema: z.ZodType<T>
    values: unknown
    /** The labels of the fields, by the first key of the path of a validation issue. */
    labels: Readonly<Record<string, AccountPhraseKey | PhraseKey>>
  },
): Promise<T> {
  const result = schema.safeParse(values)
  if (result.success) return result.data
  const field = String(result.error.issues[0]?.path[0])
  const t = await createFormTranslator(submission)
  throw new FieldProblem(field, t('error.general_invalid', { types: [t(labels[field] ?? 'name')] }))
}

/** Returns the roles that were chosen in a form that has to be sent again, or none if it was another form. */
export const rolesTypedIn = (typed: PageView['typed'], intent: string): string[] =>
  typed.intent === intent ? (typed.roleIds ?? '').split(' ').filter(Boolean) : []
