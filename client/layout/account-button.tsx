import { useBoot, useT } from '../context/boot.tsx'
import { ButtonLink } from '../ui/button.tsx'

/** Links from a final page to the account centre. Renders nothing if the tenant has none. */
export function AccountButton() {
  const { accountUrl } = useBoot()
  const t = useT()
  return (
    accountUrl && (
      <ButtonLink kind="quiet" href={accountUrl}>
        {t('vestibule.go_to_account')}
      </ButtonLink>
    )
  )
}
