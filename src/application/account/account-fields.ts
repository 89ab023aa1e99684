import { type AccountField, accountFields } from '../../contract/account/account-fields.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * Rejects a change to a field that the tenant does not let users edit. This includes changes that an application makes
 * on a user's behalf (spec/account-centre#fields).
 */
export async function requireEditableFields(
  { tenantSettings }: Pick<Dependencies, 'tenantSettings'>,
  tenantId: string,
  fields: readonly AccountField[],
): Promise<void> {
  const { accountCentre } = await tenantSettings.get(tenantId)
  const readOnly = fields.find((field) => accountCentre.fields[field] !== 'edit')
  if (readOnly !== undefined) refuseWith('user.field_not_editable', { field: readOnly })
}

/** Rejects a set of changes if it includes a field that users may not edit. The profile claims count as one field. */
export const requireEditableChanges = (
  dependencies: Pick<Dependencies, 'tenantSettings'>,
  tenantId: string,
  changes: object,
): Promise<void> =>
  requireEditableFields(
    dependencies,
    tenantId,
    accountFields.filter((field) => Object.hasOwn(changes, field)),
  )
