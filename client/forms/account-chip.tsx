import type { ConsentQuestion } from '../../src/contract/interactions/boot.ts'
import { useT } from '../context/boot.tsx'
import { Chip } from './identity-chip.tsx'

/** Names the account with which the user continues, with a link to another one. */
export function AccountChip({ label, avatar, switchUrl }: ConsentQuestion['account']) {
  const t = useT()
  return (
    <Chip
      sentence={t('vestibule.consent_account')}
      name={label}
      picture={avatar ? <img src={avatar} alt="" width={24} height={24} /> : undefined}
    >
      {switchUrl && (
        <a className="link" href={switchUrl}>
          {t('vestibule.consent_not_you')}
        </a>
      )}
    </Chip>
  )
}
