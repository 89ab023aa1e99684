import { BackupCodes } from '../../../client/account/backup-codes.tsx'
import { Factors } from '../../../client/account/factors.tsx'
import { refuseKeptFields } from '../../application/account/account-fields.ts'
import { removeOwnFactors, renewOwnBackupCodes } from '../../application/factors/manage.ts'
import { removeOwnPasskey } from '../../application/passkeys/manage.ts'
import { totpQuery } from '../../storage/factors/factors.ts'
import { passkeysQuery } from '../../storage/passkeys/passkeys.ts'
import type { AccountPage, Post, ShownPage } from './visit.ts'

export const factorsPage: AccountPage = {
  field: 'factors',
  async show({ dependencies: { db }, tenantId, read }) {
    const { signedIn, rows } = await read((userId) => ({
      app: totpQuery(db, { tenantId, userId }),
      passkeys: passkeysQuery(db, tenantId, userId),
    }))
    const { user, holding, offeredFactors } = signedIn
    const held = {
      app: rows.app[0] ?? null,
      codes: holding.backupCodes,
      mayHaveCodes: holding.totp || holding.passkeys > 0,
      keys: rows.passkeys.filter(({ isSecondFactor }) => isSecondFactor),
    }
    return { title: 'factors', user, body: <Factors held={held} offered={offeredFactors} /> }
  },
  actions: {
    async remove(post) {
      await removeOwnFactors(post.dependencies, changeOf(post, 'Account.Factor.Delete'))
      return { message: post.signedIn.holding.totp ? 'app_removed' : 'codes_removed' }
    },
    async removeKey(post) {
      await refuseKeptFields(post.dependencies, post.tenantId, ['passkeys'])
      const id = post.form.get('id') ?? ''
      const change = changeOf(post, 'Account.Passkey.Delete', { passkeyId: id })
      await removeOwnPasskey(post.dependencies, { ...change, id })
      return { message: 'key_removed' }
    },
    async renew(post) {
      const codes = await renewOwnBackupCodes(post.dependencies, changeOf(post, 'Account.Factor.Update'))
      return { message: 'codes_made', page: codesPage(post, codes) }
    },
  },
}

/** What the functions behind `/api/me` are given. */
export const changeOf = (
  { tenantId, signedIn, message, background, beginAudit }: Post,
  key: string,
  more?: Record<string, unknown>,
) => ({ tenantId, signedIn, message, background, audit: beginAudit(key, more) })

export const codesPage = ({ signedIn: { user } }: Post, codes: readonly string[]): ShownPage => ({
  title: 'vestibule.factor_codes_title',
  user,
  body: <BackupCodes codes={codes} />,
})
