import { isRecord } from '../contract/is-record.ts'

/** Returns the names of the changed fields without their values. Profile fields and claims are listed individually. */
export const changedFieldNames = (fields: object): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    (name === 'profile' || name === 'claims') && isRecord(value)
      ? Object.keys(value).map((key) => `${name}.${key}`)
      : [name],
  )
