import { isRecord } from '../contract/is-record.ts'

/** Returns the names of the changed fields, with the fields of a profile listed separately, and never their values. */
export const changedNames = (fields: object): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    name === 'profile' && isRecord(value) ? Object.keys(value).map((key) => `profile.${key}`) : [name],
  )
