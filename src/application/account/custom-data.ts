import type { CustomField } from '../../contract/account/custom-fields.ts'
import { unprocessableInput } from '../../contract/invalid-input.ts'
import { RefusalError, refuseWith } from '../../contract/refused.ts'
import { fitsCustomData, MAX_CUSTOM_DATA_BYTES } from '../../contract/users/users.schema.ts'
import { findFieldValueProblem } from '../../domain/account/custom-fields.ts'
import {
  isDataWithinLimit,
  mergedCustomData,
  patchedCustomData,
  setCustomDataIf,
} from '../../storage/account/custom-data.ts'
import { commitChange } from '../../storage/commit.ts'
import { ALWAYS_TRUE, type Condition } from '../../storage/conditions.ts'
import type { HookEvents } from '../../storage/hooks/hook-events.ts'
import type { NewLog } from '../../storage/logs.ts'
import type { UserChanges } from '../../storage/users/user-changes.ts'
import { getUser } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import { userUpdatedEvents } from '../hooks/events.ts'
import { dispatchHooks } from '../hooks/user-events.ts'

type Merge = {
  tenantId: string
  userId: string
  writer: 'user' | 'operator'
  patch: Record<string, unknown>
  audit(): NewLog
  background(task: () => Promise<unknown>): void
} & Pick<HookEvents, 'actor' | 'applicationId'>

/**
 * Merges a patch into the top level of the custom data. The database merges the values, so that concurrent changes
 * neither overwrite each other nor jointly exceed the size limit.
 */
export async function mergeCustomData(
  dependencies: Pick<Dependencies, 'db' | 'deliveries' | 'now' | 'tenantSettings'>,
  { tenantId, userId, writer, patch, audit, background, actor, applicationId }: Merge,
): Promise<Record<string, unknown>> {
  const { db, now } = dependencies
  const data = mergedCustomData(await prepareCustomData(dependencies, tenantId, { data: patch, writer }))
  const condition = isDataWithinLimit(tenantId, userId, { data, most: MAX_CUSTOM_DATA_BYTES })
  const {
    merged: [merged],
    outboxIds,
  } = await commitChange(db, {
    tenantId,
    condition,
    audit: audit(),
    statements: { merged: setCustomDataIf(db, tenantId, condition, { id: userId, data }) },
    outbox: { hooks: [userUpdatedEvents({ tenantId, userId, actor, applicationId, now: now() })] },
  })
  dispatchHooks(dependencies, { tenantId, outboxIds }, { background })
  if (merged) return merged.customData
  if (!(await getUser(db, tenantId, userId))) refuseWith('entity.not_found')
  return refuseWith('guard.invalid_input', undefined, 413)
}

// Functions that validate the values of a tenant's custom fields (spec/account-centre#custom-fields).

type Data = Readonly<Record<string, unknown>>
type Writer = 'user' | 'operator'

const messages = { missing: 'is required', invalid: 'does not fit the field that the tenant has defined' }

/**
 * Returns custom data in the form in which it is stored, without cleared fields. Throws if a value does not match its
 * field's definition, or if the user may not edit the field.
 */
export async function prepareCustomData(
  { tenantSettings }: Pick<Dependencies, 'tenantSettings'>,
  tenantId: string,
  { data, writer }: { data: Data; writer: Writer },
): Promise<Data> {
  const { customFields } = (await tenantSettings.get(tenantId)).accountCentre
  const fields = customFields.filter(({ key }) => Object.hasOwn(data, key))
  const readOnly = writer === 'user' ? fields.find(({ access }) => access !== 'edit') : undefined
  if (readOnly) refuseWith('user.field_not_editable', { field: readOnly.key })
  const issues = fields.flatMap((field) => issueOf(field, data[field.key], writer))
  if (issues.length > 0) throw new RefusalError(unprocessableInput(issues))
  const cleared = fields.filter(({ key }) => data[key] === null || data[key] === '')
  return { ...data, ...Object.fromEntries(cleared.map(({ key }) => [key, undefined])) }
}

/** Checks a value. Operators may clear a required field; the user is then asked to fill it in again. */
function issueOf(field: CustomField, value: unknown, writer: Writer) {
  const fault = findFieldValueProblem(writer === 'operator' ? { ...field, required: false } : field, value)
  return fault ? [{ path: ['customData', field.key], message: messages[fault] }] : []
}

type CustomFieldChange = Pick<UserChanges, 'customFields'>

/** Returns the condition that the merged data, including concurrent changes, is within the size limit. */
export const fitsAfterMerge = (
  tenantId: string,
  userId: string,
  { customFields }: CustomFieldChange,
): Condition =>
  customFields
    ? isDataWithinLimit(tenantId, userId, {
        data: patchedCustomData(customFields),
        most: MAX_CUSTOM_DATA_BYTES,
      })
    : ALWAYS_TRUE

/** Throws if nothing was merged because the result would have exceeded the size limit. */
export async function refuseOversizedMerge(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  { userId, customFields }: CustomFieldChange & { userId: string },
): Promise<void> {
  const user = customFields && (await getUser(db, tenantId, userId))
  if (user && !fitsCustomData({ ...user.customData, ...customFields }))
    refuseWith('guard.invalid_input', undefined, 413)
}
