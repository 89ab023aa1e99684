import { BUILT_IN_RESOURCES } from '../../../src/contract/product.ts'
import { useT } from '../../phrases.ts'
import { useCan } from '../../session/permissions.tsx'
import { Checkbox } from '../../ui/fields.tsx'
import { CodeLinesField } from './address-lines.tsx'
import type { SettingsProps } from './application-form.ts'
import { CollapsibleCard } from './folded-card.tsx'
import { canKeepSecret } from './kinds.ts'
import { settingPhrases } from './settings-phrases.ts'

/** Edits which APIs the application may request tokens for. Roles determine what the tokens contain. */
export function AccessCard(settings: SettingsProps) {
  const { application, setCustom, isReadOnly } = settings
  const t = useT(settingPhrases)
  const isOwner = useCan('all')
  const { type, customClientMetadata: custom } = application
  const { allowedResources, allowedBuiltInResources } = custom
  return (
    <CollapsibleCard title={t('allowedBuiltInResources')} lead={t('accessLead')}>
      <Checkbox
        label={t('all')}
        hint={t('allHint')}
        isSelected={allowedResources == null}
        isDisabled={isReadOnly}
        onChange={(isAll) => setCustom({ allowedResources: isAll ? null : [] })}
      />
      {allowedResources != null && (
        <CodeLinesField
          label={t('allowedResources')}
          hint={t('allowedResourcesHint')}
          {...settings.custom.lines('allowedResources')}
        />
      )}
      {type !== 'MachineToMachine' &&
        BUILT_IN_RESOURCES.map((indicator) => (
          <Checkbox
            key={indicator}
            label={t(indicator)}
            hint={t('builtInHint')}
            isSelected={allowedBuiltInResources?.includes(indicator) ?? false}
            isDisabled={isReadOnly || !isOwner || custom.isThirdParty === true}
            onChange={(isOn) => {
              const others = allowedBuiltInResources?.filter((each) => each !== indicator) ?? []
              const next = isOn ? [...others, indicator] : others
              setCustom({ allowedBuiltInResources: next.length > 0 ? next : null })
            }}
          />
        ))}
      {canKeepSecret(type) && <TokenExchange {...settings} />}
    </CollapsibleCard>
  )
}

/** The settings of token exchange (RFC 8693, spec/provider#token-exchange). */
function TokenExchange({ custom }: SettingsProps) {
  const t = useT(settingPhrases)
  return (
    <details className="more">
      <summary>{t('exchange')}</summary>
      <p className="hint">{t('exchangeLead')}</p>
      {(['tokenExchangeClients', 'tokenExchangeResources', 'tokenExchangeScopes'] as const).map((key) => (
        <CodeLinesField key={key} label={t(key)} hint={t(`${key}Hint`)} {...custom.lines(key, null)} />
      ))}
    </details>
  )
}
