import type { User } from '../../../src/contract/users/users.schema.ts'

/** The fields of a user that a list needs to show a name. */
export type NamedUser = Pick<User, 'id' | 'name' | 'username' | 'primaryEmail' | 'primaryPhone'>

/** Returns the best name of a user for a single line. */
export const formatUserName = ({ id, name, username, primaryEmail, primaryPhone }: NamedUser): string =>
  name || username || primaryEmail || primaryPhone || id
