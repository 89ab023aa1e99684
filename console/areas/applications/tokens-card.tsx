import { idTokenAlgorithms, idTokenClaims } from '../../../src/contract/applications/applications.ts'
import { useT } from '../../phrases.ts'
import { Select, TextField } from '../../ui/fields.tsx'
import type { SettingsProps } from './application-form.ts'
import { FoldedCard } from './folded-card.tsx'
import { tokenTexts } from './settings-phrases.ts'

export function TokensCard({ application, custom }: SettingsProps) {
  const t = useT(tokenTexts)
  if (application.type === 'MachineToMachine') return null
  const algorithm = custom.choice('idTokenSignedResponseAlg')
  const claims = custom.choice('idTokenClaims')
  return (
    <FoldedCard title={t('title')} lead={t('lead')}>
      {(['idTokenTtl', 'refreshTokenTtl'] as const).map((key) => (
        <TextField key={key} label={t(key)} hint={t(`${key}Hint`)} {...custom.number(key, null)} />
      ))}
      <Select
        label={t('idTokenSignedResponseAlg')}
        {...algorithm}
        value={algorithm.value ?? 'RS256'}
        options={idTokenAlgorithms.map((value) => ({ value, label: value }))}
      />
      <Select
        label={t('idTokenClaims')}
        hint={t('idTokenClaimsHint')}
        {...claims}
        value={claims.value ?? 'all'}
        options={idTokenClaims.map((value) => ({ value, label: t(`claims_${value}`) }))}
      />
    </FoldedCard>
  )
}
