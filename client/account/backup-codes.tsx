import { useTexts, useView } from './account-view.tsx'
import { ActionLink, Heading } from './parts.tsx'

/** Shows new backup codes. They cannot be displayed again later (spec/account-centre#backup-codes). */
export function BackupCodes({ codes }: { codes: readonly string[] }) {
  const t = useTexts()
  const { link } = useView()
  return (
    <>
      <Heading title={t('vestibule.factor_codes_title')} lead={t('vestibule.factor_codes_hint')} />
      <ul className="backup-codes" dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        <ActionLink to={link?.back ?? '/account/factors'}>{t('vestibule.factor_codes_saved')}</ActionLink>
      </p>
    </>
  )
}
