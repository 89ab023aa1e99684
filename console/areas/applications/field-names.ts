import { useT } from '../../phrases.ts'
import { labelOf } from '../../ui/label-of.ts'
import { policyTexts } from '../second-factor-policy.tsx'
import { texts } from './phrases.ts'
import { accessTexts, addressTexts, keyTexts, securityTexts, tokenTexts } from './settings-phrases.ts'

/** What the fields of an application are called here, by their path. */
export function useFieldNames(): (path: string) => string {
  const t = useT(texts, policyTexts, addressTexts, tokenTexts, securityTexts, keyTexts, accessTexts)
  const labels = {
    ...Object.fromEntries(namedAlike.map((name) => [name, t(name)])),
    secondFactorPolicy: t('secondFactor'),
    rememberDays: t('neverRemembered'),
    logoUri: t('logo'),
    idTokenSignedResponseAlg: t('algorithm'),
    idTokenClaims: t('claims'),
    allowedBuiltInResources: t('accessToApis'),
  }
  return (path) => labelOf(labels, path.replace(/^(?:oidc|custom)ClientMetadata\./, ''))
}

const namedAlike = [
  'name',
  'description',
  'isAdmin',
  'redirectUris',
  'postLogoutRedirectUris',
  'corsAllowedOrigins',
  'initiateLoginUri',
  'backchannelLogoutUri',
  'idTokenTtl',
  'refreshTokenTtl',
  'isThirdParty',
  'deviceFlow',
  'dpopBoundAccessTokens',
  'fapi2',
  'backchannelLogoutSessionRequired',
  'jwks',
  'jwksUri',
  'allowedResources',
  'tokenExchangeClients',
  'tokenExchangeResources',
  'tokenExchangeScopes',
] as const
