import { Overview } from '../../../client/account/overview.tsx'
import { LOW_BACKUP_CODE_COUNT } from '../../domain/factors/backup-codes.ts'
import { deletionQuery } from '../../storage/account/account-deletions.ts'
import { verifiedAddresses } from '../../storage/users/users.ts'
import type { AccountPage } from './page.ts'

export const overviewPage: AccountPage = {
  actions: {},
  async show({ dependencies, tenantId, read }) {
    const { signedIn, rows } = await read((userId) => ({
      deletion: deletionQuery(dependencies.db, { tenantId, userId }),
    }))
    const { user, holding } = signedIn
    const { secondFactor } = await dependencies.tenantSettings.get(tenantId)
    const verified = verifiedAddresses(user)
    const { backupCodes } = holding
    const body = (
      <Overview
        user={user}
        isDeletionCanceled={rows.deletion.some(({ canceledAt }) => canceledAt !== null)}
        attention={{
          emailUnverified: user.primaryEmail !== null && !verified.email,
          phoneUnverified: user.primaryPhone !== null && !verified.phone,
          hasNoFactor: secondFactor.policy !== 'off' && !holding.totp && holding.passkeys === 0,
          // spec/account-centre#overview
          fewCodes: holding.totp && backupCodes <= LOW_BACKUP_CODE_COUNT ? backupCodes : null,
        }}
      />
    )
    return { title: 'title', user, body }
  },
}
