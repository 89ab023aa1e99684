import type { z } from 'zod'
import type { FactorsSchema } from '../../../src/contract/factors/factors.schema.ts'
import { useApi } from '../../api/queries.ts'
import { phrases, useT } from '../../phrases.ts'
import { useCan, usePermissions } from '../../session/permissions.tsx'
import { apiOrigin } from '../../session/place.ts'
import { signIn } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/fields.tsx'
import { Card, Loading } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { useSettingNames } from '../settings/field-names.ts'
import { texts as settingTexts } from '../settings/phrases.ts'
import { type Settings, useSettingsForm } from '../settings/settings-form.ts'
import { hasAcceptedFactor } from './own-factor.ts'

const texts = phrases({
  en: {
    factorLead:
      'This applies to owners, developers, support and read-only administrators, and to everyone with a role of your own that has permissions for Vestibule itself. They use an authenticator app or a passkey. Codes sent to an email address or phone number don’t count, because only administrators can repair a connector that doesn’t work.',
    everyoneNeeds: 'The tenant already requires a second factor from all users.',
    noFactorYet:
      'You don’t have one of these factors yet. We’ll ask you to set up an authenticator app at your next sign-in.',
    setUpFactor: 'Set one up now',
  },
  de: {
    factorLead:
      'Das gilt für Inhaber, Entwickler, Support und Administratoren mit Leserechten sowie für alle mit einer eigenen Rolle, die Berechtigungen für Vestibule selbst enthält. Sie verwenden eine Authenticator-App oder einen Passkey. Codes an eine E-Mail-Adresse oder Telefonnummer zählen nicht, weil nur Administratoren einen defekten Konnektor reparieren können.',
    everyoneNeeds: 'Der Mandant verlangt bereits von allen Benutzern einen zweiten Faktor.',
    noFactorYet:
      'Sie haben noch keinen dieser Faktoren. Bei Ihrer nächsten Anmeldung werden Sie gebeten, eine Authenticator-App einzurichten.',
    setUpFactor: 'Jetzt einrichten',
  },
})

/** The switch that requires a second factor of all administrators (spec/accounts#administrators-policy). */
export default function AdministratorFactor() {
  const t = useT(texts, settingTexts)
  const nameOf = useSettingNames()
  const [isWriter, isOwner] = [useCan('settings:write'), useCan('all')]
  const form = useSettingsForm()
  const { value, stored } = form
  if (!value || !stored) return <Loading failure={form.failure} onRetry={form.retry} />
  return (
    <>
      <Card title={t('secondFactor')} lead={t('factorLead')}>
        <Switch
          label={t('administratorsNeedSecondFactor')}
          hint={isWriter && !isOwner ? t('ownersOnly') : undefined}
          isDisabled={!isOwner}
          isSelected={value.administratorsNeedSecondFactor}
          onChange={(isOn) => form.change({ administratorsNeedSecondFactor: isOn })}
        />
        {value.administratorsNeedSecondFactor && (
          <NoFactorYet settings={value} isSaved={stored.administratorsNeedSecondFactor} />
        )}
        {value.secondFactor.policy === 'required' && <p className="hint">{t('everyoneNeeds')}</p>}
      </Card>
      <SaveBar form={form} nameOf={nameOf} />
    </>
  )
}

/** Tells administrators without a second factor what happens at their next sign-in, and offers to set one up. */
function NoFactorYet({ settings, isSaved }: { settings: Settings; isSaved: boolean }) {
  const t = useT(texts)
  const { userId } = usePermissions()
  const { data } = useApi<z.infer<typeof FactorsSchema>>(`/users/${encodeURIComponent(userId)}/factors`)
  if (!data || hasAcceptedFactor(data.data, settings)) return null
  return (
    <>
      <p className="hint" role="status">
        {t('noFactorYet')}
      </p>
      {isSaved && (
        <p>
          <SetUpFactor hasAccountCentre={settings.accountCentre.enabled} />
        </p>
      )}
    </>
  )
}

/** Leads to the account centre or, if the tenant has none, to a sign-in that asks for a factor. */
function SetUpFactor({ hasAccountCentre }: { hasAccountCentre: boolean }) {
  const t = useT(texts)
  return hasAccountCentre ? (
    <a className="button plain" href={`${apiOrigin}/account/factors`} target="_blank" rel="noreferrer">
      {t('setUpFactor')}
    </a>
  ) : (
    <Button onPress={() => signIn({ acr_values: 'urn:vestibule:acr:2fa' })}>{t('setUpFactor')}</Button>
  )
}
