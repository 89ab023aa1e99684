import { isRecord } from '../contract/is-record.ts'

/** Returns the names of the changed fields, never their values. The fields of a profile are listed separately. */
export const changedFieldNames = (fields: object): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    name === 'profile' && isRecord(value) ? Object.keys(value).map((key) => `profile.${key}`) : [name],
  )
