import { createRoute } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { asTaken } from '../../application/uniqueness-refusal.ts'
import { AccountPatch, AccountProfile } from '../../contract/account.schema.ts'
import { refuseWith } from '../../contract/refused.ts'
import { commit } from '../../storage/commit.ts'
import { always as unconditional } from '../../storage/conditions.ts'
import { isUser, type UserRow, updateUserIf } from '../../storage/users.ts'
import { answer, json, refusals } from '../guard.ts'
import { accountRouter, always, alwaysWithBody, note, signedIn } from './router.ts'

const one = { 200: answer('The profile', AccountProfile.openapi('AccountProfile')) }

const getCall = createRoute({
  method: 'get',
  path: '/',
  ...signedIn,
  summary: 'Get my profile',
  description: 'With `primaryEmail` and `primaryPhone` if the token has the scopes `email` and `phone`.',
  responses: { ...one, ...always },
})
const patchCall = createRoute({
  method: 'patch',
  path: '/',
  ...signedIn,
  summary: 'Change my name, avatar or username; an empty string or null clears name and avatar',
  request: { body: json(AccountPatch) },
  responses: { ...one, ...alwaysWithBody, ...refusals(422) },
})

export function accountProfileRoutes(dependencies: Dependencies) {
  const { db } = dependencies

  return accountRouter(dependencies, 'profile')
    .openapi(getCall, (c) => {
      const { user, scopes } = c.var.signedIn
      return c.json(profileOf(user, scopes), 200)
    })
    .openapi(patchCall, async (c) => {
      const { user, scopes } = c.var.signedIn
      const { tenantId } = c.var
      const patch = c.req.valid('json')
      if (Object.keys(patch).length === 0) return c.json(profileOf(user, scopes), 200)

      const audit = note(c, 'Account.Profile.Update', { changed: Object.keys(patch) })
      const {
        user: [changed],
      } = await commit(db, {
        tenantId,
        condition: isUser(tenantId, user.id),
        statements: { user: updateUserIf(db, tenantId, unconditional, user.id, patch) },
        audit: audit.success(),
      }).catch(asTaken)
      return changed ? c.json(profileOf(changed, scopes), 200) : refuseWith('auth.unauthorized')
    })
}

const profileOf = (user: UserRow, scopes: ReadonlySet<string>) => ({
  id: user.id,
  username: user.username,
  name: user.name,
  avatar: user.avatar,
  ...(scopes.has('email') ? { primaryEmail: user.primaryEmail } : {}),
  ...(scopes.has('phone') ? { primaryPhone: user.primaryPhone } : {}),
  hasPassword: user.passwordEncrypted !== null,
  createdAt: user.createdAt,
  lastSignInAt: user.lastSignInAt,
})
