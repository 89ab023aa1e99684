import { idTokenAlgorithms, idTokenClaims } from '../../../src/contract/applications/applications.ts'
import { useT } from '../../phrases.ts'
import { Select, TextField } from '../../ui/fields.tsx'
import type { SettingsProps } from './application-form.ts'
import { FoldedCard } from './folded-card.tsx'
import { tokenTexts } from './settings-phrases.ts'

export function TokensCard({ application, setCustom, problems, isReadOnly }: SettingsProps) {
  const t = useT(tokenTexts)
  const { type, customClientMetadata: custom } = application
  if (type === 'MachineToMachine') return null
  return (
    <FoldedCard title={t('title')} lead={t('lead')}>
      {(['idTokenTtl', 'refreshTokenTtl'] as const).map((key) => (
        <TextField
          key={key}
          label={t(key)}
          hint={t(`${key}Hint`)}
          type="number"
          value={custom[key] == null ? '' : String(custom[key])}
          isDisabled={isReadOnly}
          problem={problems[`customClientMetadata.${key}`]}
          onChange={(text) => setCustom({ [key]: text === '' ? null : Number(text) })}
        />
      ))}
      <Select
        label={t('algorithm')}
        value={custom.idTokenSignedResponseAlg ?? 'RS256'}
        options={idTokenAlgorithms.map((value) => ({ value, label: value }))}
        isDisabled={isReadOnly}
        problem={problems['customClientMetadata.idTokenSignedResponseAlg']}
        onChange={(alg) => setCustom({ idTokenSignedResponseAlg: alg })}
      />
      <Select
        label={t('claims')}
        hint={t('claimsHint')}
        value={custom.idTokenClaims ?? 'all'}
        options={idTokenClaims.map((value) => ({ value, label: t(`claims_${value}`) }))}
        isDisabled={isReadOnly}
        onChange={(claims) => setCustom({ idTokenClaims: claims })}
      />
    </FoldedCard>
  )
}
