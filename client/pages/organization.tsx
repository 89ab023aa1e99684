import { useContext, useState } from 'react'
import { Redirect } from 'wouter'
import type { OrganizationChoice } from '../../src/contract/interactions/boot.ts'
import { INTERACTION_PARAM } from '../../src/contract/interactions/interaction.ts'
import {
  ORGANIZATION_FIELD,
  ORGANIZATION_PATH,
  PERSONAL,
} from '../../src/contract/organisations/organizations.ts'
import { useBoot, useInteractionPath, useT } from '../context/boot.tsx'
import { Chip } from '../forms/identity-chip.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { LandingFrame } from '../layout/frame.tsx'
import type { PageFields } from '../reactions/reactions.ts'
import { PendingContext } from '../ui/button.tsx'
import { NextIcon, PersonIcon } from '../ui/icons.tsx'
import { Spinner } from '../ui/loading.tsx'
import '../styles/chip.css'
import '../styles/returning.css'
import '../styles/organizations.css'

export { journeys } from '../organisations/journeys.ts'

export const fields: PageFields = () => ({})

/** Lists with more organisations can be searched. */
const SEARCHED_FROM = 10

/** Asks for which organisation the user acts in the application (spec/organisations#page). */
export default function OrganizationPage() {
  const { organizationChoice: choice } = useBoot()
  const address = useInteractionPath()
  // A page that was loaded at another path has no organisations.
  return choice ? <Choice {...choice} /> : <Redirect to={address('/sign-in')} replace />
}

function Choice({ application, account, organizations, lastUsedId, allowsPersonal }: OrganizationChoice) {
  const t = useT()
  const { search, language } = useBoot()
  const [text, setText] = useState(new URLSearchParams(search).get(SEARCH_FIELD) ?? '')
  const words = foldCase(text, language).split(/\s+/u)
  const matches = organizations.filter(({ name }) =>
    words.every((word) => foldCase(name, language).includes(word)),
  )
  return (
    <LandingFrame
      title={t('vestibule.organization_title')}
      description={
        <Chip
          sentence={t('vestibule.consent_account')}
          name={account.label}
          picture={account.avatar ? <img src={account.avatar} alt="" width={24} height={24} /> : undefined}
        >
          {account.switchUrl && (
            <a className="link" href={account.switchUrl}>
              {t('vestibule.consent_not_you')}
            </a>
          )}
        </Chip>
      }
    >
      <p className="organizations-message">
        {application === null
          ? t('vestibule.organization_message')
          : t('vestibule.organization_message_app', { name: application })}
      </p>
      {organizations.length > SEARCHED_FROM && <SearchForm text={text} onText={setText} />}
      <JourneyForm>
        {() => (
          <ul className="accounts organizations">
            {matches.map(({ id, name }) => (
              <Row key={id} id={id} name={name} isLastUsed={id === lastUsedId} />
            ))}
            {allowsPersonal && <Row id={PERSONAL} name={t('vestibule.organization_personal')} />}
          </ul>
        )}
      </JourneyForm>
      <p className="organizations-message" role="status">
        {matches.length === 0 && t('vestibule.organization_no_match')}
      </p>
    </LandingFrame>
  )
}

/** The name of the field with the search text, also in the query of the page. */
const SEARCH_FIELD = 'search'

const foldCase = (text: string, language: string) => text.trim().toLocaleLowerCase(language)

/** Searches while the user types or, without a script, on the server. */
function SearchForm({ text, onText }: { text: string; onText: (text: string) => void }) {
  const t = useT()
  const { interaction } = useBoot()
  return (
    <search>
      <form
        className="organizations-search"
        method="get"
        action={ORGANIZATION_PATH}
        onSubmit={(event) => event.preventDefault()}
      >
        <input type="hidden" name={INTERACTION_PARAM} value={interaction ?? ''} />
        <span className="field-box">
          <input
            className="field-input"
            type="search"
            name={SEARCH_FIELD}
            value={text}
            aria-label={t('vestibule.organization_search')}
            placeholder={t('vestibule.organization_search')}
            autoComplete="off"
            onChange={(event) => onText(event.target.value)}
          />
        </span>
        <noscript>
          <button type="submit" className="button button-quiet">
            {t('vestibule.organization_search_button')}
          </button>
        </noscript>
      </form>
    </search>
  )
}

function Row({ id, name, isLastUsed = false }: { id: string; name: string; isLastUsed?: boolean }) {
  const t = useT()
  const isBusy = useContext(PendingContext)?.value === id
  return (
    <li>
      <button
        type="submit"
        className="account-choice"
        name={ORGANIZATION_FIELD}
        value={id}
        aria-busy={isBusy || undefined}
        aria-disabled={isBusy || undefined}
      >
        <span className="account-initial" aria-hidden="true">
          {id === PERSONAL ? <PersonIcon /> : initialOf(name)}
        </span>
        <span className="account-choice-text">
          <bdi className="account-name">{name}</bdi>
          {isLastUsed && <span className="last-used">{t('vestibule.last_used')}</span>}
        </span>
        {isBusy ? <Spinner /> : <NextIcon />}
      </button>
    </li>
  )
}

/** The first letter or number of a name, with its combining marks. */
const initialOf = (name: string) => (/[\p{L}\p{N}]\p{M}*/u.exec(name)?.[0] ?? '·').toLocaleUpperCase()
