import { useT } from '../../phrases.ts'
import { Switch } from '../../ui/fields.tsx'
import type { SettingsProps } from './application-form.ts'
import { FoldedCard } from './folded-card.tsx'
import { keepsSecret } from './kinds.ts'
import { securityTexts } from './settings-phrases.ts'

/** What is asked of the application, and of users before it gets anything. */
export function SecurityCard({ application, custom: fields, problems }: SettingsProps) {
  const t = useT(securityTexts)
  const { type, customClientMetadata: custom } = application
  const isMachine = type === 'MachineToMachine'
  const shown = [
    ...(isMachine ? [] : (['isThirdParty', 'deviceFlow'] as const)),
    'dpopBoundAccessTokens' as const,
    ...(keepsSecret(type) ? (['fapi2'] as const) : []),
    ...(custom.backchannelLogoutUri ? (['backchannelLogoutSessionRequired'] as const) : []),
  ]
  return (
    <FoldedCard title={t('security')} lead={t('lead')}>
      {shown.map((key) => {
        const problem = problems[`customClientMetadata.${key}`]
        return (
          <div key={key}>
            <Switch label={t(key)} hint={t(`${key}Hint`)} {...fields.flag(key, null)} />
            {problem && (
              <p className="problem" role="alert">
                {problem}
              </p>
            )}
          </div>
        )
      })}
    </FoldedCard>
  )
}
