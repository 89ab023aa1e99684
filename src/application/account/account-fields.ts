import { type AccountField, accountFields } from '../../contract/account/account-fields.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * Refuses a change of a field that the tenant does not let its users edit, even through an application that calls on
 * behalf of its user (spec/account-centre#fields).
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

/** Refuses changes that include such a field. The claims of the profile are not separate fields. */
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
