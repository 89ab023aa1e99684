import type { User } from '../../../src/contract/users/users.schema.ts'

/** A user in a list, as far as a line shows one. */
export type NamedUser = Pick<User, 'id' | 'name' | 'username' | 'primaryEmail' | 'primaryPhone'>

/** What a user is called where one line has to do. */
export const formatUserName = ({ id, name, username, primaryEmail, primaryPhone }: NamedUser): string =>
  name || username || primaryEmail || primaryPhone || id
