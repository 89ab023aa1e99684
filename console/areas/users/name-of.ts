import type { User } from '../../../src/contract/users/users.schema.ts'

/** The fields of a user that are needed to show a name. */
export type NamedUser = Pick<User, 'id' | 'name' | 'username' | 'primaryEmail' | 'primaryPhone'>

/** Returns a name for the user that fits on a single line. */
export const formatUserName = ({ id, name, username, primaryEmail, primaryPhone }: NamedUser): string =>
  name || username || primaryEmail || primaryPhone || id
