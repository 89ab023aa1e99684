import { useCurrentPage } from '../context/boot.tsx'
import { BackupCodesPage } from '../factors/backup-codes.tsx'
import { ChooseFactorPage } from '../factors/other-ways.tsx'
import { AddressCodePage, AppCodePage, BackupCodePage, SecurityKeyPage } from '../factors/prove.tsx'
import { SetUpPage } from '../factors/set-up.tsx'
import { currentFactorOption } from '../factors/ways.ts'
import '../styles/factors.css'
import '../styles/resend.css'

export { journeys } from '../factors/journeys.ts'

/** The second-factor pages. They are loaded together, because they link to one another (spec/pages#second-factor). */
export default function SecondFactorPage() {
  const here = useCurrentPage()
  switch (here.path) {
    case '/second-factor/choose':
      return <ChooseFactorPage />
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
