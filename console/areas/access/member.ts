import type { User } from '../../../src/contract/users/users.schema.ts'

/** A user in the list of those who have a role. */
export type Member = Pick<User, 'id' | 'name' | 'username' | 'primaryEmail'>

/** What is known of a user that says most to a person. */
export const nameOf = ({ id, name, username, primaryEmail }: Member): string =>
  name ?? username ?? primaryEmail ?? id
