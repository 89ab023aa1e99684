import { type AccountField, accountFields } from '../../contract/account/account-fields.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { Dependencies } from '../dependencies.ts'

/** Refuses a change of a field that the tenant does not leave to its users, also by an application that calls for its user (spec/account-centre#fields). */
export async function requireEditableFields(
  { tenantSettings }: Pick<Dependencies, 'tenantSettings'>,
  tenantId: string,
  fields: readonly AccountField[],
): Promise<void> {
  const { accountCentre } = await tenantSettings.get(tenantId)
  const readOnly = fields.find((field) => accountCentre.fields[field] !== 'edit')
  if (readOnly !== undefined) refuseWith('user.field_not_editable', { field: readOnly })
}

/** The same for a change of several; a claim of the profile is no field of its own. */
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
