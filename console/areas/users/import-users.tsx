import { useT } from '../../phrases.ts'
import { Page } from '../../ui/page.tsx'
import { RecentSignIn } from '../../ui/recent-sign-in.tsx'
import { ImportForm } from './import-form.tsx'
import { transferTexts } from './transfer-phrases.ts'

/** Users from a file that the browser reads: the file itself is not uploaded. */
export default function ImportUsers() {
  const t = useT(transferTexts)
  return (
    <Page title={t('importTitle')} lead={t('importLead')} parent={{ href: '/users', title: t('users') }}>
      <RecentSignIn>
        <ImportForm />
      </RecentSignIn>
    </Page>
  )
}
