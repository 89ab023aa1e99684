import { Passkeys } from '../../../client/account/passkeys.tsx'
import { removeOwnPasskey, renameOwnPasskey } from '../../application/passkeys/manage.ts'
import { invalidInput } from '../../contract/invalid-input.ts'
import { PasskeyPatch } from '../../contract/passkeys/passkeys.schema.ts'
import { MOST_PASSKEYS } from '../../contract/passkeys/passkeys.ts'
import { acceptedPasskeys } from '../../domain/passkeys/passkeys.ts'
import { passkeysQuery } from '../../storage/passkeys/passkeys.ts'
import type { AccountPage } from './visit.ts'

export const passkeysPage: AccountPage = {
  field: 'passkeys',
  async show({ dependencies: { db, tenantSettings }, tenantId, read }) {
    const { signedIn, rows } = await read((userId) => ({ all: passkeysQuery(db, tenantId, userId) }))
    const { enabled, rpId } = (await tenantSettings.get(tenantId)).passkeys
    const { user } = signedIn
    const body = (
      <Passkeys
        passkeys={rows.all.filter(({ isSecondFactor }) => !isSecondFactor)}
        mayAdd={enabled && rpId !== null && rows.all.length < MOST_PASSKEYS}
        accepted={
          rpId === null
            ? null
            : acceptedPasskeys(
                rpId,
                user,
                rows.all.map(({ id }) => id),
              )
        }
      />
    )
    return { title: 'passkeys', user, body, script: 'passkeys' }
  },
  actions: {
    async rename({ dependencies, tenantId, signedIn, form, message, background, beginAudit }) {
      const id = form.get('id') ?? ''
      const parsed = PasskeyPatch.safeParse({ name: form.get(`name-${id}`)?.trim() })
      if (!parsed.success) throw invalidInput(parsed.error)
      const audit = beginAudit('Account.Passkey.Update', { passkeyId: id })
      const own = { signedIn, message, background }
      await renameOwnPasskey(dependencies, { tenantId, ...own, id, ...parsed.data, audit })
      return { message: 'passkey_renamed' }
    },
    async remove({ dependencies, tenantId, signedIn, form, message, background, beginAudit }) {
      const id = form.get('id') ?? ''
      const audit = beginAudit('Account.Passkey.Delete', { passkeyId: id })
      await removeOwnPasskey(dependencies, { tenantId, signedIn, id, message, background, audit })
      return { message: 'passkey_removed' }
    },
  },
}
