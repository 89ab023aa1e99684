import type { ApplicationType } from '../../../src/contract/applications/applications.ts'
import { findRedirectUriProblem } from '../../../src/domain/applications/redirect-uri.ts'

/**
 * The kinds of applications that an operator can create. The API has four types, and a kind is a type with certain
 * settings (spec/console#applications).
 */
export const applicationKinds = ['spa', 'web', 'native', 'machine', 'device', 'agent'] as const
export type ApplicationKind = (typeof applicationKinds)[number]

type KindRow = {
  type: ApplicationType
  deviceFlow?: true
  isThirdParty?: true
  /** The initial redirect URIs, or null for a kind without redirects. */
  redirectUris: readonly string[] | null
}

export const kindRows: Readonly<Record<ApplicationKind, KindRow>> = {
  spa: { type: 'SPA', redirectUris: ['http://localhost:5173/'] },
  web: { type: 'Traditional', redirectUris: ['http://localhost:3000/callback'] },
  // A link opens the app, or the app listens on a loopback port.
  native: { type: 'Native', redirectUris: ['com.example.app:/callback', 'http://127.0.0.1/callback'] },
  machine: { type: 'MachineToMachine', redirectUris: null },
  device: { type: 'Native', deviceFlow: true, redirectUris: null },
  // The agent belongs to a third party, so users are asked for their consent before it gets any of their data.
  agent: { type: 'Native', isThirdParty: true, redirectUris: ['http://127.0.0.1/callback'] },
}

type KindFields = {
  type: ApplicationType
  oidcClientMetadata: { redirectUris: readonly string[] }
  customClientMetadata: { deviceFlow?: boolean | null | undefined; isThirdParty?: boolean | null | undefined }
}

/** Returns the kind of a stored application, based on its type and settings. */
export function findKind({ type, oidcClientMetadata, customClientMetadata }: KindFields): ApplicationKind {
  switch (type) {
    case 'SPA':
      return 'spa'
    case 'Traditional':
      return 'web'
    case 'MachineToMachine':
      return 'machine'
    case 'Native':
      if (customClientMetadata.deviceFlow && oidcClientMetadata.redirectUris.length === 0) return 'device'
      return customClientMetadata.isThirdParty ? 'agent' : 'native'
  }
}

/**
 * Tells whether applications of this type can keep a secret and therefore get one
 * (spec/provider#client-authentication).
 */
export const canKeepSecret = (type: ApplicationType): boolean =>
  type === 'Traditional' || type === 'MachineToMachine'

type NewFields = {
  name: string
  redirectUris: readonly string[]
  postLogoutRedirectUris: readonly string[]
}

/**
 * Returns the fields that are missing or invalid. As long as there are any, the application can't be created.
 */
export function findMissingFields(
  kind: ApplicationKind,
  { name, redirectUris, postLogoutRedirectUris }: NewFields,
): readonly (keyof NewFields)[] {
  const row = kindRows[kind]
  const areValid = (uris: readonly string[]) => uris.every((uri) => findRedirectUriProblem(uri, row) === null)
  const hasRedirects = row.redirectUris === null || (redirectUris.length > 0 && areValid(redirectUris))
  return [
    ...(name.trim() === '' ? (['name'] as const) : []),
    ...(hasRedirects ? [] : (['redirectUris'] as const)),
    ...(areValid(postLogoutRedirectUris) ? [] : (['postLogoutRedirectUris'] as const)),
  ]
}

/** Returns the body of `POST /applications`. */
export function createApplicationBody(
  kind: ApplicationKind,
  { name, redirectUris, postLogoutRedirectUris }: NewFields,
) {
  const { type, deviceFlow, isThirdParty, redirectUris: initial } = kindRows[kind]
  return {
    name,
    type,
    oidcClientMetadata: {
      redirectUris: initial === null ? [] : [...redirectUris],
      postLogoutRedirectUris: [...postLogoutRedirectUris],
    },
    customClientMetadata: { ...(deviceFlow && { deviceFlow }), ...(isThirdParty && { isThirdParty }) },
  }
}
