import { requireEditableChanges } from '../../application/account/account-fields.ts'
import { changeOwnProfile } from '../../application/account/profile.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { AccountPatch, AccountProfile } from '../../contract/account/account.schema.ts'
import { type UserRow, verifiedAddresses } from '../../storage/users/users.ts'
import { changedFieldNames } from '../changed-names.ts'
import { jsonBody, jsonResponse } from '../guard.ts'
import { throwIfScopeMissing } from './authentication.ts'
import { accountCallContext, accountRouter, beginAccountAudit, declareAccountCall } from './router.ts'

const profileResponse = { 200: jsonResponse('The profile', AccountProfile.meta({ id: 'AccountProfile' })) }

const getCall = declareAccountCall({
  method: 'get',
  path: '/',
  operationId: 'getMyProfile',
  summary: 'Get my profile',
  description:
    'Returns the profile of the signed-in user. Requires the `profile` scope. `primaryEmail` and ' +
    '`primaryPhone`, and whether each is verified, are returned only if the token also has the scopes ' +
    '`email` and `phone`; `profile.address` only with the scope `address`.',
  responses: profileResponse,
})
const patchCall = declareAccountCall({
  method: 'patch',
  path: '/',
  operationId: 'updateMyProfile',
  summary: 'Change my profile',
  description:
    'Replaces the name, avatar or username of the signed-in user. Requires the `profile` scope. An empty ' +
    'string or null clears the name and avatar. A username can be changed but not cleared, and requires ' +
    'the same proof as a change of the password (401 `auth.insufficient_user_authentication` with the ' +
    'challenge of RFC 9470); for operators this is rejected with 403 `user.account_centre_required`, ' +
    'except through a built-in application. `profile` contains the other standard claims and is merged ' +
    'key by key; null removes a claim, and `address` requires the `address` scope. Responds with 422 ' +
    '`user.username_already_in_use` if another user has the username, and with 429 after too many ' +
    'usernames within an hour.',
  request: { body: jsonBody(AccountPatch) },
  responses: profileResponse,
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

      if (changes.profile?.address !== undefined) throwIfScopeMissing(c, 'address')
      await requireEditableChanges(dependencies, c.var.tenantId, changes)
      const audit = beginAccountAudit(c, 'Account.Profile.Update', { changed: changedFieldNames(changes) })
      const isRenamed = changes.username !== undefined && changes.username !== user.username
      const { tenantId, signedIn, message, background } = accountCallContext(c)
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
