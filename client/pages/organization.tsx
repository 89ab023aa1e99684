import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Redirect } from 'wouter'
import type { OrganizationChoice } from '../../src/contract/interactions/boot.ts'
import { INTERACTION_PARAM } from '../../src/contract/interactions/interaction.ts'
import { ORGANIZATION_PATH, PERSONAL } from '../../src/contract/organisations/organizations.ts'
import { useBoot, useInteractionPath, useT } from '../context/boot.tsx'
import { AccountChip } from '../forms/account-chip.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { LandingFrame } from '../layout/frame.tsx'
import { OrganizationRow } from '../organisations/organization-row.tsx'
import type { PageFields } from '../reactions/reactions.ts'
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
    <LandingFrame title={t('vestibule.organization_title')} description={<AccountChip {...account} />}>
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
              <OrganizationRow key={id} id={id} name={name} isLastUsed={id === lastUsedId} />
            ))}
            {allowsPersonal && <OrganizationRow id={PERSONAL} name={t('vestibule.organization_personal')} />}
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
  const field = useRef<HTMLInputElement>(null)
  // The user may have typed before hydration.
  const readInitialText = useEffectEvent(() => onText(field.current?.value ?? ''))
  useEffect(() => readInitialText(), [])
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
            ref={field}
            className="field-input"
            type="search"
            name={SEARCH_FIELD}
            defaultValue={text}
            aria-label={t('vestibule.organization_search')}
            placeholder={t('vestibule.organization_search')}
            autoComplete="off"
            onInput={(event) => onText(event.currentTarget.value)}
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
