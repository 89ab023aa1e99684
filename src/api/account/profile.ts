import { requireEditableChanges } from '../../application/account/account-fields.ts'
import { changeOwnProfile } from '../../application/account/profile.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { AccountPatch, AccountProfile } from '../../contract/account/account.schema.ts'
import { type UserRow, verifiedAddresses } from '../../storage/users/users.ts'
import { changedNames } from '../changed-names.ts'
import { jsonAnswer, jsonBody } from '../guard.ts'
import { refuseWithoutScope } from './authentication.ts'
import { accountRouter, beginAccountAudit, callerOf, declareAccountCall } from './router.ts'

const answered = { 200: jsonAnswer('The profile', AccountProfile.meta({ id: 'AccountProfile' })) }

const getCall = declareAccountCall({
  method: 'get',
  path: '/',
  summary: 'Get my profile',
  description:
    'Answers the profile of the signed-in user. Needs the scope `profile`; `primaryEmail` and `primaryPhone`, each with whether it is verified, are answered when the token also has the scopes `email` and `phone`, `profile.address` with the scope `address`.',
  answers: answered,
})
const patchCall = declareAccountCall({
  method: 'patch',
  path: '/',
  summary: 'Change my profile',
  description:
    'Replaces the name, the avatar or the username of the signed-in user. Needs the scope `profile`. An empty string or null clears name and avatar; a username can be changed but not cleared, and needs what a change of the password needs (401 `auth.insufficient_user_authentication` with the challenge of RFC 9470); to operators it is refused with 403 `user.account_centre_required`, except through a built-in application. `profile` has ' +
    'the other standard claims and is merged key by key; null removes one, and `address` needs the scope `address`. A ' +
    'username of another user is refused with 422 `user.username_already_in_use`, too many usernames within an hour with 429.',
  request: { body: jsonBody(AccountPatch) },
  answers: answered,
  refusals: [422],
})

export function accountProfileRoutes(dependencies: Dependencies) {
  return accountRouter(dependencies, 'profile')
    .openapi(getCall, (c) => {
      const { user, scopes } = c.var.signedIn
      return c.json(profileOf(user, scopes), 200)
    })
    .openapi(patchCall, async (c) => {
      const { user, scopes } = c.var.signedIn
      const changes = c.req.valid('json')
      if (Object.keys(changes).length === 0) return c.json(profileOf(user, scopes), 200)

      if (changes.profile?.address !== undefined) refuseWithoutScope(c, 'address')
      await requireEditableChanges(dependencies, c.var.tenantId, changes)
      const audit = beginAccountAudit(c, 'Account.Profile.Update', { changed: changedNames(changes) })
      const isRenamed = changes.username !== undefined && changes.username !== user.username
      const { tenantId, signedIn, message, background } = callerOf(c)
      const change = {
        tenantId,
        signedIn,
        changes,
        audit,
        background,
        message: isRenamed ? message : null,
      }
      return c.json(profileOf(await changeOwnProfile(dependencies, change), scopes), 200)
    })
}

const profileOf = (user: UserRow, scopes: ReadonlySet<string>) => ({
  id: user.id,
  username: user.username,
  name: user.name,
  avatar: user.avatar,
  ...(scopes.has('email')
    ? { primaryEmail: user.primaryEmail, emailVerified: verifiedAddresses(user).email }
    : {}),
  ...(scopes.has('phone')
    ? { primaryPhone: user.primaryPhone, phoneVerified: verifiedAddresses(user).phone }
    : {}),
  hasPassword: user.passwordEncrypted !== null,
  createdAt: user.createdAt,
  lastSignInAt: user.lastSignInAt,
  termsAgreement: user.termsAgreement,
  profile: scopes.has('address') ? user.profile : { ...user.profile, address: undefined },
  profileUpdatedAt: user.profileUpdatedAt,
})
