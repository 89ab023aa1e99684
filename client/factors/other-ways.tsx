import { type ReactNode, useContext } from 'react'
import type { AddressFactor } from '../../src/contract/interactions/interaction.ts'
import { useCurrentPage, useInteractionPath, useT } from '../context/boot.tsx'
import { queryWithoutInteraction, RECOVERY_PATH } from '../context/paths.ts'
import type { PhraseKey } from '../context/phrases.ts'
import { JourneyForm } from '../forms/journey-form.tsx'
import { StepFrame } from '../layout/frame.tsx'
import { SiblingLink } from '../layout/navigation.tsx'
import { PendingValueContext } from '../ui/button.tsx'
import { EnvelopeIcon, KeyIcon, ListIcon, NextIcon, PhoneIcon, ShieldIcon } from '../ui/icons.tsx'
import { Spinner } from '../ui/loading.tsx'
import { CHANNEL_FIELD } from './journeys.ts'
import { AccountChip } from './proof-frame.tsx'
import {
  codePhrases,
  type FactorOption,
  isAddressFactor,
  linkToFactorOption,
  readBackupCodesLeft,
  readFactorOptions,
} from './ways.ts'

/** Lists all second factors that the user can choose from (spec/pages#second-factor). */
export function ChooseFactorPage() {
  const t = useT()
  const address = useInteractionPath()
  const { search, navigation } = useCurrentPage()
  const hasCode = (way: FactorOption) => navigation?.factorCode?.channel === way
  return (
    <StepFrame title={t('vestibule.factor_other')} description={<AccountChip />}>
      <ul className="ways">
        {readFactorOptions(search).map((way) => (
          <li key={way}>
            {isAddressFactor(way) && !hasCode(way) ? (
              <SendingRow channel={way} />
            ) : (
              <SiblingLink to={linkToFactorOption(way, search)} navigation={navigation}>
                <Row way={way} sign={<NextIcon />} />
              </SiblingLink>
            )}
          </li>
        ))}
        <li>
          {/* A new document, because only that page has its phrases. */}
          <a className="link" href={address(RECOVERY_PATH + queryWithoutInteraction(search))}>
            <span className="way way-title">{t('vestibule.factor_none')}</span>
            <NextIcon />
          </a>
        </li>
      </ul>
      <FewBackupCodesNote />
    </StepFrame>
  )
}

/** A row that sends a code. The next page asks for it. */
const SendingRow = ({ channel }: { channel: AddressFactor }) => (
  <JourneyForm intent="resend">{() => <SendingButton channel={channel} />}</JourneyForm>
)

function SendingButton({ channel }: { channel: AddressFactor }) {
  const isBusy = useContext(PendingValueContext) === channel
  return (
    <button
      type="submit"
      className="link"
      name={CHANNEL_FIELD}
      value={channel}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
    >
      <Row way={channel} sign={isBusy ? <Spinner /> : <NextIcon />} />
    </button>
  )
}

const looks: Record<FactorOption, { icon: ReactNode; title: PhraseKey; hint?: PhraseKey }> = {
  passkey: { icon: <KeyIcon />, title: 'vestibule.factor_passkey', hint: 'vestibule.factor_passkey_hint' },
  totp: { icon: <ShieldIcon />, title: 'vestibule.factor_app', hint: 'vestibule.factor_totp_hint' },
  phone: { icon: <PhoneIcon />, title: 'vestibule.factor_text' },
  email: { icon: <EnvelopeIcon />, title: 'input.email' },
  backupCode: {
    icon: <ListIcon />,
    title: 'vestibule.factor_backup_code',
    hint: 'vestibule.factor_backup_hint',
  },
}

/** The content of a row: the factor, and what choosing it does. */
function Row({ way, sign }: { way: FactorOption; sign: ReactNode }) {
  const t = useT()
  const { icon, title, hint } = looks[way]
  return (
    <>
      <span className="disc">{icon}</span>
      <span className="way">
        <span className="way-title">{t(title)} </span>
        {isAddressFactor(way) ? <SendPhrase channel={way} /> : hint && t(hint)}
      </span>
      {sign}
    </>
  )
}

/** Says where the code is sent, if the page knows the address. */
export function SendPhrase({ channel }: { channel: AddressFactor }) {
  const t = useT()
  const target = useCurrentPage().navigation?.secondFactor?.targets[channel]
  const { send, anywhere } = codePhrases[channel]
  return target ? t(send, { target }) : t(anywhere)
}

/** Warns that the user is running out of backup codes. */
export function FewBackupCodesNote() {
  const t = useT()
  const count = readBackupCodesLeft(useCurrentPage().search)
  return count === null ? null : <p className="factor-note">{t('vestibule.factor_few_codes', { count })}</p>
}
