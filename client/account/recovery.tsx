import type { ReactNode } from 'react'
import type { AccountPhraseKey } from '../../src/contract/account/account-catalogue.ts'
import type { MarkedStep, RecoveryStep } from '../../src/domain/account/recovery-steps.ts'
import { toStandardTag } from '../../src/domain/experience/standard-tag.ts'
import { useBoot } from '../context/boot.tsx'
import { getConnectorName } from '../context/connector-name.ts'
import type { PhraseKey } from '../context/phrases.ts'
import { EndingPicture } from '../layout/end-picture.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { CheckIcon, EnvelopeIcon, KeyIcon, PasskeyIcon, PhoneIcon } from '../ui/icons.tsx'
import { useTexts } from './account-view.tsx'
import { Dotted } from './dotted.tsx'
import { LinkIcon, StepsIcon } from './icons.tsx'
import { ActionForm, Heading } from './parts.tsx'
import { EmailText, PhoneText, Row, Rows } from './rows.tsx'

/** Something that somebody else might have added to the account. */
export type RecoveryWay = {
  kind: 'email' | 'phone' | 'passkeys' | 'factors' | 'identities'
  /** The existing items of this kind: addresses, names, or the targets of providers. */
  values: readonly (string | null)[]
}

type RecoveryFacts = {
  steps: readonly { name: RecoveryStep; isDone: boolean }[]
  ways: readonly RecoveryWay[]
  sessionsLeft: number
  applicationsLeft: number
  /** True if the user can set up a second factor, and has none. */
  mayAddFactor: boolean
}

/**
 * Leads through the steps after an activity entry that the user does not recognize, and ticks them off
 * (spec/account-centre#this-wasnt-me).
 */
export function Recovery({ steps, mayAddFactor, ...facts }: RecoveryFacts) {
  const t = useTexts()
  const { language } = useBoot()
  const numbers = new Intl.NumberFormat(toStandardTag(language))
  const next = steps.find(({ isDone }) => !isDone)?.name
  if (next === undefined) return <Recovered mayAddFactor={mayAddFactor} />
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <>
      <Heading title={t('not_me')} lead={t('not_me_lead')} />
      <div className="account-progress">
        <p id="progress">
          {t('not_me_progress', { done: numbers.format(done), total: numbers.format(steps.length) })}
        </p>
        <progress value={done} max={steps.length} aria-labelledby="progress" />
      </div>
      <ol className="account-stepper">
        {steps.map(({ name, isDone }, index) => (
          <li
            key={name}
            className={isDone ? 'account-step-done' : undefined}
            aria-current={name === next ? 'step' : undefined}
          >
            <span className="account-step-mark" aria-hidden="true">
              {isDone ? <CheckIcon /> : numbers.format(index + 1)}
            </span>
            <div className="account-step">
              <h2 id={name}>
                {t(texts[name])} {isDone && <span className="visually-hidden">({t('done')})</span>}
              </h2>
              <Step name={name} isDone={isDone} isNext={name === next} {...facts} />
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}

const texts = {
  password: 'not_me_password',
  ways: 'not_me_ways',
  sessions: 'not_me_sessions',
  applications: 'not_me_applications',
} as const satisfies Record<RecoveryStep, AccountPhraseKey>

type StepFacts = Pick<RecoveryFacts, 'ways' | 'sessionsLeft' | 'applicationsLeft'> & {
  name: RecoveryStep
  isDone: boolean
  isNext: boolean
}

/** The row of a step, which says what is left to do or how the step ended. */
function Step({ name, isDone, isNext, ways, sessionsLeft, applicationsLeft }: StepFacts) {
  const t = useTexts()
  const link = (path: string, text: string) =>
    isNext ? (
      <ButtonLink href={path} aria-describedby={name}>
        {text}
      </ButtonLink>
    ) : (
      <a className="account-action" href={path} aria-describedby={name}>
        {text}
      </a>
    )
  switch (name) {
    case 'password':
      return isDone ? (
        <p className="account-quiet">{t('did_change_password')}</p>
      ) : (
        <div className="account-actions">{link('/account/password', t('vestibule.new_password_title'))}</div>
      )
    case 'ways':
      if (isDone) return null
      return (
        <>
          <Ways ways={ways} />
          <Mark step={name} />
        </>
      )
    case 'sessions':
      return (
        <>
          <p className="account-quiet">
            {sessionsLeft === 0 ? t('no_other_sessions') : t('not_me_sessions_left', { count: sessionsLeft })}
          </p>
          {!isDone && (
            <div className="account-actions">
              {link('/account/sessions', t('sessions'))}
              <Mark step={name} />
            </div>
          )}
        </>
      )
    case 'applications':
      return (
        <>
          <p className="account-quiet">
            {applicationsLeft === 0 ? t('no_applications') : t('access_count', { count: applicationsLeft })}
          </p>
          {!isDone && (
            <div className="account-actions">
              {link('/account/applications', t('applications'))}
              <Mark step={name} />
            </div>
          )}
        </>
      )
  }
}

/** A form that marks a step of which only the user knows that it is done. */
function Mark({ step }: { step: MarkedStep }) {
  const t = useTexts()
  return (
    <form method="post">
      <input type="hidden" name="step" value={step} />
      <button type="submit" className="account-action" name="intent" value="check" aria-describedby={step}>
        {t('not_me_checked')}
      </button>
    </form>
  )
}

const kinds = {
  email: { title: 'input.email', icon: EnvelopeIcon },
  phone: { title: 'input.phone_number', icon: PhoneIcon },
  passkeys: { title: 'passkeys', icon: PasskeyIcon },
  factors: { title: 'factors', icon: StepsIcon },
  identities: { title: 'identities', icon: LinkIcon },
} as const satisfies Record<
  RecoveryWay['kind'],
  { title: AccountPhraseKey | PhraseKey; icon: typeof KeyIcon }
>

function Ways({ ways }: Pick<RecoveryFacts, 'ways'>) {
  const t = useTexts()
  const boot = useBoot()
  const textOf = (kind: RecoveryWay['kind'], value: string): ReactNode => {
    if (kind === 'email') return <EmailText value={value} />
    if (kind === 'phone') return <PhoneText value={value} />
    const connector =
      kind === 'identities' && boot.experience.socialConnectors.find(({ target }) => target === value)
    return connector ? getConnectorName(boot, connector.id) : value
  }
  return (
    <Rows>
      {ways.map(({ kind, values }) => {
        const { title, icon: KindIcon } = kinds[kind]
        return (
          <Row
            key={kind}
            icon={<KindIcon />}
            title={t(title)}
            value={<Dotted>{values.map((value) => value !== null && textOf(kind, value))}</Dotted>}
            to={`/account/${kind}`}
          />
        )
      })}
    </Rows>
  )
}

/** Says that all steps are done, and what else helps. */
function Recovered({ mayAddFactor }: Pick<RecoveryFacts, 'mayAddFactor'>) {
  const t = useTexts()
  return (
    <>
      <div className="content-empty account-recovered">
        <EndingPicture kind="done" />
        <Heading title={t('not_me_done')} lead={t('not_me_done_lead')} />
      </div>
      <Rows title={t('not_me_more')}>
        {mayAddFactor && (
          <Row icon={<StepsIcon />} title={t('factors')} value={t('factors_lead')} to="/account/factors" />
        )}
        <Row icon={<KeyIcon />} title={t('not_me_elsewhere')} />
        <Row icon={<EnvelopeIcon />} title={t('not_me_mailbox')} />
      </Rows>
      <ActionForm intent="restart">{t('not_me_again')}</ActionForm>
    </>
  )
}
