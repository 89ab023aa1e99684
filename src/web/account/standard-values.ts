import { addressFields, personFields } from '../../../client/account/profile-fields.ts'
import { createTranslator } from '../../../client/context/phrases.ts'
import { AccountPatch } from '../../contract/account/account.schema.ts'
import { loadAccountTexts } from '../../contract/account/account-catalogue.ts'
import { usernameProblem } from '../../domain/users/username-rules.ts'
import { FieldProblem, type Post } from './visit.ts'

/** The standard claims that were filled in, as the account API takes them; what is wrong is said at its field. */
export async function standardValues(post: Post, given: Record<string, string>) {
  const problem = given.username === undefined ? null : usernameProblem(given.username)
  if (problem) throw new FieldProblem('username', createTranslator(await post.boot())(`error.${problem}`))
  const { name, username, ...claims } = given
  const address: Record<string, string> = {}
  const profile: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(claims)) {
    const [outer, part] = key.split('.')
    if (outer === 'address' && part) address[part] = value
    else profile[key] = value
  }
  if (Object.keys(address).length > 0) profile.address = address
  const found = AccountPatch.safeParse({
    ...(name !== undefined && { name }),
    ...(username !== undefined && { username }),
    ...(Object.keys(profile).length > 0 && { profile }),
  })
  if (found.success) return found.data
  const field = fieldIn(found.error.issues[0]?.path ?? [])
  const boot = await post.boot()
  const label = [...personFields, ...addressFields].find(({ name }) => name === field)?.label ?? 'name'
  const types = [(await loadAccountTexts(boot.language))[label]]
  throw new FieldProblem(field, createTranslator(boot)('error.general_invalid', { types }))
}

/** The path of an issue as the name of the field. */
const fieldIn = (path: readonly PropertyKey[]): string =>
  path
    .filter((key) => key !== 'profile')
    .map(String)
    .join('.')
