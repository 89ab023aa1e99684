import type { ConsentScopes } from '../../src/contract/interactions/boot.ts'
import { useT } from '../context/boot.tsx'
import type { PhraseKey } from '../context/phrases.ts'
import { CheckIcon, CIRCLE_PATH, Icon } from '../ui/icons.tsx'
import { withLink } from '../ui/rich-text.tsx'
import '../styles/consent.css'

/**
 * Describes scopes and claims in sentences, each with an icon. Each resource is followed by its scopes
 * (spec/pages#consent).
 */
export function ConsentList({ scopes, claims, resources }: ConsentScopes) {
  const t = useT()
  const named = scopes.map((scope) => ({ name: scope, words: scopesInWords.get(scope) }))
  const standard = claims.flatMap((claim) => claimsInWords.get(claim) ?? [])
  // Several claims may share a sentence, such as the parts of a name.
  const items = new Map([
    ...named.map(({ name, words }) => [words?.phrase ?? name, words] as const),
    ...standard.map((words) => [words.phrase, words] as const),
  ])
  // An operator's own claims are described only by their names.
  const otherClaims = claims.filter((claim) => !claimsInWords.has(claim))
  return (
    <ul className="consent-list">
      {[...items].map(([name, words]) => (
        <li key={name}>
          {words ? <Icon path={words.icon} /> : <CheckIcon />}
          <span>{words ? t(words.phrase) : name}</span>
        </li>
      ))}
      {otherClaims.map((claim) => (
        <li key={`claim ${claim}`}>
          <Icon path={ownScopes.profile.icon} />
          <span>{withLink(t('vestibule.consent_claim_other'), <bdi className="strong">{claim}</bdi>)}</span>
        </li>
      ))}
      {resources.map((resource) => (
        <li key={resource.indicator}>
          <Icon path={RESOURCE_ICON} />
          <div>
            {withLink(t('vestibule.consent_resource'), <bdi className="strong">{resource.name}</bdi>)}
            {resource.scopes.length > 0 && (
              <ul>
                {resource.scopes.map(({ name, description }) => (
                  <li key={name}>
                    <bdi>{description ?? name}</bdi>
                  </li>
                ))}
              </ul>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Returns the first character as a whole code point, because half an emoji cannot be displayed. */
export const initialOf = (name: string) => ([...name.trim()][0] ?? '').toUpperCase()

const CARD = 'M4 4h12a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Z'

type Words = { phrase: PhraseKey; icon: string }

/** The descriptions of the OpenID Provider's own scopes (spec/provider#scopes-and-claims). */
const ownScopes = {
  openid: {
    phrase: 'vestibule.consent_openid',
    icon: `${CIRCLE_PATH}M7.7 8a2.3 2.3 0 1 0 4.6 0 2.3 2.3 0 1 0-4.6 0M5.4 15.6c.6-2.4 2.3-3.6 4.6-3.6s4 1.2 4.6 3.6`,
  },
  profile: {
    phrase: 'vestibule.consent_profile',
    icon: `${CARD}M5.4 8.7a1.6 1.6 0 1 0 3.2 0 1.6 1.6 0 1 0-3.2 0M4.6 13.2c.3-1.3 1.2-2 2.4-2s2.1.7 2.4 2M12.2 8.2h3.2m-3.2 3.6h3.2`,
  },
  email: { phrase: 'vestibule.consent_email', icon: `${CARD}M2.6 5.4l7.4 6 7.4-6` },
  address: {
    phrase: 'vestibule.consent_address',
    icon: 'M10 18s6-5.4 6-10A6 6 0 0 0 4 8c0 4.6 6 10 6 10ZM7.8 8a2.2 2.2 0 1 0 4.4 0 2.2 2.2 0 1 0-4.4 0',
  },
  phone: {
    phrase: 'vestibule.consent_phone',
    icon: 'M7.5 1.8h5a2 2 0 0 1 2 2v12.4a2 2 0 0 1-2 2h-5a2 2 0 0 1-2-2V3.8a2 2 0 0 1 2-2ZM9 15.4h2',
  },
  custom_data: {
    phrase: 'vestibule.consent_custom_data',
    icon: 'M3.5 4.8a6.5 2.6 0 1 0 13 0 6.5 2.6 0 1 0-13 0v10.4c0 1.4 2.9 2.6 6.5 2.6s6.5-1.2 6.5-2.6V4.8M3.5 10c0 1.4 2.9 2.6 6.5 2.6s6.5-1.2 6.5-2.6',
  },
  identities: {
    phrase: 'vestibule.consent_identities',
    icon: 'm8.4 11.6 3.2-3.2M9.2 6.2l1.9-1.9a3.25 3.25 0 0 1 4.6 4.6l-1.9 1.9m-3 3-1.9 1.9a3.25 3.25 0 0 1-4.6-4.6l1.9-1.9',
  },
  roles: {
    phrase: 'vestibule.consent_roles',
    icon: 'M10 1.8 16.5 4v5c0 4.2-2.7 7.4-6.5 9.2C6.2 16.4 3.5 13.2 3.5 9V4Zm-2.8 8 2 2 3.8-4',
  },
  organizations: {
    phrase: 'vestibule.consent_organizations',
    icon: 'M3 18V5l7-3v16M10 7l7 2.5V18M2 18h16M6 8h1m-1 3h1m-1 3h1m6-2h1m-1 3h1',
  },
  offline_access: { phrase: 'vestibule.consent_offline_access', icon: `${CIRCLE_PATH}M10 5.6V10l3 2` },
} as const satisfies Record<string, Words>
const scopesInWords = new Map<string, Words>(Object.entries(ownScopes))

const inProfile = (phrase: PhraseKey, ...claims: string[]) =>
  claims.map((claim): [string, Words] => [claim, { phrase, icon: ownScopes.profile.icon }])

/** The descriptions of claims that are requested without their scopes (spec/provider#single-claims). */
const claimsInWords = new Map<string, Words>([
  ...inProfile('vestibule.consent_claim_name', 'name', 'given_name', 'family_name', 'middle_name'),
  ...inProfile('vestibule.consent_claim_username', 'preferred_username'),
  ...inProfile('vestibule.consent_claim_nickname', 'nickname'),
  ...inProfile('vestibule.consent_claim_picture', 'picture'),
  ...inProfile('vestibule.consent_claim_website', 'website', 'profile'),
  ...inProfile('vestibule.consent_claim_gender', 'gender'),
  ...inProfile('vestibule.consent_claim_birthdate', 'birthdate'),
  ...inProfile('vestibule.consent_claim_locale', 'locale', 'zoneinfo'),
  ...inProfile('vestibule.consent_claim_updated', 'updated_at'),
  ['email', ownScopes.email],
  ['email_verified', ownScopes.email],
  ['address', ownScopes.address],
  ['phone_number', ownScopes.phone],
  ['phone_number_verified', ownScopes.phone],
  ['custom_data', ownScopes.custom_data],
  ['identities', ownScopes.identities],
  ['roles', ownScopes.roles],
  ['permissions', ownScopes.roles],
  ['organizations', ownScopes.organizations],
  ['organizations_truncated', ownScopes.organizations],
  ['org_name', { phrase: 'vestibule.consent_claim_organization', icon: ownScopes.organizations.icon }],
])

const RESOURCE_ICON = 'm10 1.8 7 3.9v8.6l-7 3.9-7-3.9V5.7Zm-7 3.9 7 4 7-4m-7 4v8.4'
