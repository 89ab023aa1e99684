import { useT } from '../../phrases.ts'
import { TextField } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { RedirectLines, ValueLines } from './address-lines.tsx'
import type { SettingsProps } from './application-form.ts'
import { addressTexts } from './settings-phrases.ts'

export function AddressesCard({ application, metadata, custom, problems }: SettingsProps) {
  const t = useT(addressTexts)
  const { type, customClientMetadata } = application
  return (
    <Card title={t('title')}>
      {(['redirectUris', 'postLogoutRedirectUris'] as const).map((key) => (
        <RedirectLines
          key={key}
          label={t(key)}
          hint={t(`${key}Hint`)}
          owner={{ type, isThirdParty: customClientMetadata.isThirdParty === true }}
          refused={(index) => problems[`oidcClientMetadata.${key}.${index}`]}
          {...metadata.lines(key)}
          problem={problems[`oidcClientMetadata.${key}`]}
        />
      ))}
      <details className="more">
        <summary>{t('more')}</summary>
        <ValueLines
          label={t('corsAllowedOrigins')}
          hint={t('corsAllowedOriginsHint')}
          {...custom.lines('corsAllowedOrigins', null)}
        />
        {(['initiateLoginUri', 'backchannelLogoutUri'] as const).map((key) => (
          <TextField
            key={key}
            label={t(key)}
            hint={t(`${key}Hint`)}
            type="url"
            isCode
            {...custom.nullable(key)}
          />
        ))}
      </details>
    </Card>
  )
}
