import { CodeSheet } from '../../factors/code-sheet.tsx'
import { useTexts, useView } from '../account-view.tsx'
import { ActionLink, Heading } from '../parts.tsx'

/** Shows new backup codes. They cannot be displayed again later (spec/account-centre#backup-codes). */
export function BackupCodes({ codes }: { codes: readonly string[] }) {
  const t = useTexts()
  const { link } = useView()
  return (
    <>
      <Heading title={t('vestibule.factor_codes_title')} lead={t('vestibule.factor_codes_hint')} />
      <div className="account-card">
        <CodeSheet codes={codes} />
      </div>
      <p>
        <ActionLink to={link?.back ?? '/account/factors'}>{t('vestibule.factor_codes_saved')}</ActionLink>
      </p>
    </>
  )
}
