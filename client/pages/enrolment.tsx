import { useCurrentPage } from '../context/boot.tsx'
import { BackupCodesPage } from '../factors/backup-codes.tsx'
import { APP_CODE_FIELD } from '../factors/journeys.ts'
import { SetUpPage } from '../factors/set-up.tsx'
import type { PageFields } from '../reactions/reactions.ts'

export { journeys } from '../factors/journeys.ts'

export const fields: PageFields = ({ path, navigation }) =>
  path === '/second-factor/set-up' && navigation?.totp ? { send: [APP_CODE_FIELD] } : {}

/**
 * The pages that set up an authenticator app. Each is opened as a new document, which contains its styles, so no script
 * loads them (spec/pages#second-factor).
 */
export default function EnrolmentPage() {
  return useCurrentPage().path === '/second-factor/set-up' ? <SetUpPage /> : <BackupCodesPage />
}
