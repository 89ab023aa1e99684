import { isRecord } from '../contract/is-record.ts'

/** Returns the names of the changed fields without their values. Profile fields are listed individually. */
export const changedFieldNames = (fields: object): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    name === 'profile' && isRecord(value) ? Object.keys(value).map((key) => `profile.${key}`) : [name],
  )
