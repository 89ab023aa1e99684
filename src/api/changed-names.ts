import { isRecord } from '../contract/is-record.ts'

/** The names of the given fields, those of a profile one by one. Never values. */
export const changedNames = (fields: object): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    name === 'profile' && isRecord(value) ? Object.keys(value).map((key) => `profile.${key}`) : [name],
  )
