import { createTranslator } from '../../../client/context/phrases.ts'
import type { CustomField, FieldValue } from '../../contract/account/custom-fields.ts'
import { refuseWith } from '../../contract/refused.ts'
import { fitsCustomData } from '../../contract/users/users.schema.ts'
import { fieldFault, fieldName, shownText, textIn, typedValue } from '../../domain/account/custom-fields.ts'
import { FieldProblem, type Post } from './visit.ts'

/** What differs in the fields that the tenant has defined, and the names of those in the form (spec/account-centre#custom-fields). */
export async function customChanges(
  post: Post,
): Promise<{ names: string[]; values: { customFields?: Record<string, FieldValue> } }> {
  const { dependencies, tenantId, signedIn, form } = post
  const { customData } = signedIn.user
  const { customFields } = (await dependencies.tenantSettings.get(tenantId)).accountCentre
  const changes: Record<string, FieldValue> = {}
  for (const field of customFields) {
    const text = form.getAll(fieldName(field)).at(-1)?.trim()
    if (text === undefined) continue
    const isSame = text === shownText(field, customData)
    if (isSame && !(text === '' && field.required)) continue
    if (field.access !== 'edit') return refuseWith('user.field_not_editable', { field: field.key })
    changes[field.key] = await valueIn(post, field, text)
  }
  const names = Object.keys(changes).map((key) => fieldName({ key }))
  // Data that is too large already, by changes at the same time, keeps nobody from the other fields.
  if (names.length === 0) return { names, values: {} }
  if (!fitsCustomData({ ...customData, ...changes })) return refuseWith('guard.invalid_input', undefined, 413)
  return { names, values: { customFields: changes } }
}

async function valueIn(post: Post, field: CustomField, text: string): Promise<FieldValue> {
  const value = typedValue(field, text)
  const fault = value === undefined ? 'invalid' : fieldFault(field, value)
  if (value !== undefined && !fault) return value
  const boot = await post.boot()
  const types = [textIn(field.label, boot.language)]
  const t = createTranslator(boot)
  throw new FieldProblem(
    fieldName(field),
    fault === 'missing' ? t('error.general_required', { types }) : t('error.general_invalid', { types }),
  )
}
