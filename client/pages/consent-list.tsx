import type { ReactNode } from 'react'
import type { ConsentScopes } from '../../src/contract/interactions/boot.ts'
import { useT } from '../context/boot.tsx'
import type { PhraseKey } from '../context/phrases.ts'
import { withLink } from '../ui/rich-text.tsx'
import '../styles/consent.css'

/** Scopes as sentences, each with an icon; those of a resource are below it (spec/pages#consent). */
export function ConsentList({ scopes, resources }: ConsentScopes) {
  const t = useT()
  return (
    <ul className="consent-list">
      {scopes.map((scope) => (
        <li key={scope}>
          <Icon paths={isKnown(scope) ? known[scope].icon : SCOPE_ICON} />
          <span>{isKnown(scope) ? t(known[scope].phrase) : scope}</span>
        </li>
      ))}
      {resources.map((resource) => (
        <li key={resource.indicator}>
          <Icon paths={RESOURCE_ICON} />
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

function Icon({ paths }: { paths: ReactNode }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      {paths}
    </svg>
  )
}

/** The scopes of the provider (spec/provider#scopes-and-claims). */
const known = {
  openid: {
    phrase: 'vestibule.consent_openid',
    icon: (
      <>
        <circle cx="10" cy="10" r="7.5" />
        <circle cx="10" cy="8" r="2.3" />
        <path d="M5.4 15.6c.6-2.4 2.3-3.6 4.6-3.6s4 1.2 4.6 3.6" />
      </>
    ),
  },
  profile: {
    phrase: 'vestibule.consent_profile',
    icon: (
      <>
        <rect x="2" y="4" width="16" height="12" rx="2" />
        <circle cx="7" cy="8.7" r="1.6" />
        <path d="M4.6 13.2c.3-1.3 1.2-2 2.4-2s2.1.7 2.4 2M12.2 8.2h3.2m-3.2 3.6h3.2" />
      </>
    ),
  },
  email: {
    phrase: 'vestibule.consent_email',
    icon: (
      <>
        <rect x="2" y="4" width="16" height="12" rx="2" />
        <path d="m2.6 5.4 7.4 6 7.4-6" />
      </>
    ),
  },
  address: {
    phrase: 'vestibule.consent_address',
    icon: (
      <>
        <path d="M10 18s6-5.4 6-10A6 6 0 0 0 4 8c0 4.6 6 10 6 10Z" />
        <circle cx="10" cy="8" r="2.2" />
      </>
    ),
  },
  phone: {
    phrase: 'vestibule.consent_phone',
    icon: (
      <>
        <rect x="5.5" y="1.8" width="9" height="16.4" rx="2" />
        <path d="M9 15.4h2" />
      </>
    ),
  },
  custom_data: {
    phrase: 'vestibule.consent_custom_data',
    icon: (
      <>
        <ellipse cx="10" cy="4.8" rx="6.5" ry="2.6" />
        <path d="M3.5 4.8v10.4c0 1.4 2.9 2.6 6.5 2.6s6.5-1.2 6.5-2.6V4.8M3.5 10c0 1.4 2.9 2.6 6.5 2.6s6.5-1.2 6.5-2.6" />
      </>
    ),
  },
  identities: {
    phrase: 'vestibule.consent_identities',
    icon: (
      <path d="m8.4 11.6 3.2-3.2M9.2 6.2l1.9-1.9a3.25 3.25 0 0 1 4.6 4.6l-1.9 1.9m-3 3-1.9 1.9a3.25 3.25 0 0 1-4.6-4.6l1.9-1.9" />
    ),
  },
  offline_access: {
    phrase: 'vestibule.consent_offline_access',
    icon: (
      <>
        <circle cx="10" cy="10" r="7.5" />
        <path d="M10 5.6V10l3 2" />
      </>
    ),
  },
} as const satisfies Record<string, { phrase: PhraseKey; icon: ReactNode }>

const isKnown = (scope: string): scope is keyof typeof known => Object.hasOwn(known, scope)

/** A scope that the provider has no words for. */
const SCOPE_ICON = <path d="m4.5 10.5 4 4 7-9" />

const RESOURCE_ICON = <path d="m10 1.8 7 3.9v8.6l-7 3.9-7-3.9V5.7Zm-7 3.9 7 4 7-4m-7 4v8.4" />
