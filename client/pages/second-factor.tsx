import { useCurrentPage } from '../context/boot.tsx'
import { APP_CODE_FIELD, BACKUP_CODE_FIELD } from '../factors/journeys.ts'
import { ChooseFactorPage } from '../factors/other-ways.tsx'
import { AddressCodePage, AppCodePage, BackupCodePage, SecurityKeyPage } from '../factors/prove.tsx'
import { currentFactorOption } from '../factors/ways.ts'
import type { PageFields } from '../reactions/reactions.ts'
import '../styles/factors.css'
import '../styles/resend.css'

export { journeys } from '../factors/journeys.ts'

export const fields: PageFields = ({ path, search, navigation }) => {
  if (path === '/second-factor/choose') return {}
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

/** The pages that ask for a second factor. They are loaded together, because they link to one another (spec/pages#second-factor). */
export default function SecondFactorPage() {
  const here = useCurrentPage()
  if (here.path === '/second-factor/choose') return <ChooseFactorPage />
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
