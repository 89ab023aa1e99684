import type { GuideValues } from '../../../console/areas/applications/guides/sample.ts'

/** The values of an application without redirect URIs. Tests add its issuer, its client id and its API. */
export const noValues: GuideValues = {
  issuer: 'https://id.example.com/oidc',
  clientId: 'my-client-id',
  redirectUris: [],
  afterSignOut: [],
  api: null,
}
