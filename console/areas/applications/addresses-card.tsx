import { problemAt } from '../../api/problem.ts'
import { useT } from '../../phrases.ts'
import { TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { RedirectLines, ValueLines } from './address-lines.tsx'
import { listOrNull, type SettingsProps, textOrNull } from './application-form.ts'
import { addressTexts } from './settings-phrases.ts'

export function AddressesCard({ application, setMetadata, setCustom, problems, isReadOnly }: SettingsProps) {
  const t = useT(addressTexts)
  const { type, oidcClientMetadata, customClientMetadata } = application
  const list = (key: 'redirectUris' | 'postLogoutRedirectUris') => ({
    label: t(key),
    hint: t(`${key}Hint`),
    owner: { type, isThirdParty: customClientMetadata.isThirdParty === true },
    isDisabled: isReadOnly,
    value: oidcClientMetadata[key],
    onChange: (uris: string[]) => setMetadata({ [key]: uris }),
    refused: (index: number) => problems[`oidcClientMetadata.${key}.${index}`],
    problem: problems[`oidcClientMetadata.${key}`],
  })
  const origins = customClientMetadata.corsAllowedOrigins ?? []
  return (
    <Card title={t('title')}>
      <RedirectLines {...list('redirectUris')} />
      <RedirectLines {...list('postLogoutRedirectUris')} />
      <details className="more">
        <summary>{t('more')}</summary>
        <ValueLines
          label={t('corsAllowedOrigins')}
          hint={t('corsAllowedOriginsHint')}
          value={origins}
          isDisabled={isReadOnly}
          problem={problemAt(problems, 'customClientMetadata.corsAllowedOrigins')}
          onChange={(next) => setCustom({ corsAllowedOrigins: listOrNull(next) })}
        />
        {(['initiateLoginUri', 'backchannelLogoutUri'] as const).map((key) => (
          <TextField
            key={key}
            label={t(key)}
            hint={t(`${key}Hint`)}
            type="url"
            isCode
            value={customClientMetadata[key] ?? ''}
            isDisabled={isReadOnly}
            problem={problems[`customClientMetadata.${key}`]}
            onChange={(next) => setCustom({ [key]: textOrNull(next) })}
          />
        ))}
      </details>
    </Card>
  )
}
