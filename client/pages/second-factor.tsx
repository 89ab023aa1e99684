import { useCurrentPage } from '../context/boot.tsx'
import { RECOVERY_PATH } from '../context/paths.ts'
import { BackupCodesPage } from '../factors/backup-codes.tsx'
import { APP_CODE_FIELD, BACKUP_CODE_FIELD } from '../factors/journeys.ts'
import { ChooseFactorPage } from '../factors/other-ways.tsx'
import { AddressCodePage, AppCodePage, BackupCodePage, SecurityKeyPage } from '../factors/prove.tsx'
import { RecoveryPage } from '../factors/recovery.tsx'
import { SetUpPage } from '../factors/set-up.tsx'
import { currentFactorOption } from '../factors/ways.ts'
import type { PageFields } from '../reactions/reactions.ts'
import '../styles/chip.css'

export { journeys } from '../factors/journeys.ts'

export const fields: PageFields = ({ path, search, navigation }) => {
  switch (path) {
    case '/second-factor/choose':
    case RECOVERY_PATH:
    case '/second-factor/backup-codes':
      return {}
    case '/second-factor/set-up':
      return navigation?.totp ? { send: [APP_CODE_FIELD] } : {}
  }
  const way = currentFactorOption({ path, search })
  switch (way) {
    case 'passkey':
      return {}
    case 'totp':
      return { send: [APP_CODE_FIELD] }
    case 'phone':
    case 'email':
      return navigation?.factorCode?.channel === way ? { send: [APP_CODE_FIELD] } : {}
    case 'backupCode':
      return { send: [BACKUP_CODE_FIELD] }
  }
}

/**
 * The second-factor pages. They are loaded together, because they link to one another (spec/pages#second-factor). Each
 * begins as a new document, which contains its styles, so scripts load none.
 */
export default function SecondFactorPage() {
  const here = useCurrentPage()
  switch (here.path) {
    case '/second-factor/choose':
      return <ChooseFactorPage />
    case RECOVERY_PATH:
      return <RecoveryPage />
    case '/second-factor/set-up':
      return <SetUpPage />
    case '/second-factor/backup-codes':
      return <BackupCodesPage />
  }
  const way = currentFactorOption(here)
  switch (way) {
    case 'passkey':
      return <SecurityKeyPage />
    case 'totp':
      return <AppCodePage />
    case 'phone':
    case 'email':
      return <AddressCodePage key={way} channel={way} />
    case 'backupCode':
      return <BackupCodePage />
  }
}
