import { type AccountField, accountFields } from '../../contract/account/account-fields.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { Dependencies } from '../dependencies.ts'

/** Also of an application that calls for its user: it is the tenant that keeps the field (spec/account-centre#fields). */
export async function refuseKeptFields(
  { tenantSettings }: Pick<Dependencies, 'tenantSettings'>,
  tenantId: string,
  fields: readonly AccountField[],
): Promise<void> {
  const { accountCentre } = await tenantSettings.get(tenantId)
  const kept = fields.find((field) => accountCentre.fields[field] !== 'edit')
  if (kept !== undefined) refuseWith('user.field_not_editable', { field: kept })
}

/** The same for a change of several; a claim of the profile is no field of its own. */
export const refuseKeptChanges = (
  dependencies: Pick<Dependencies, 'tenantSettings'>,
  tenantId: string,
  changes: object,
): Promise<void> =>
  refuseKeptFields(
    dependencies,
    tenantId,
    accountFields.filter((field) => Object.hasOwn(changes, field)),
  )
