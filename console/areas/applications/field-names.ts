import { useT } from '../../phrases.ts'
import { labelOf } from '../../ui/label-of.ts'
import { policyTexts } from '../second-factor-policy.ts'
import { texts } from './phrases.ts'
import { accessTexts, addressTexts, keyTexts, securityTexts, tokenTexts } from './settings-phrases.ts'

/** What the fields of an application are called here, by their path. */
export function useFieldNames(): (path: string) => string {
  const t = useT(texts)
  const policies = useT(policyTexts)
  const address = useT(addressTexts)
  const token = useT(tokenTexts)
  const security = useT(securityTexts)
  const key = useT(keyTexts)
  const access = useT(accessTexts)
  const labels = {
    name: t('name'),
    description: t('description'),
    secondFactorPolicy: t('secondFactor'),
    rememberDays: policies('neverRemembered'),
    isAdmin: access('isAdmin'),
    logoUri: t('logo'),
    ...named(address, [
      'redirectUris',
      'postLogoutRedirectUris',
      'corsAllowedOrigins',
      'initiateLoginUri',
      'backchannelLogoutUri',
    ]),
    ...named(token, ['idTokenTtl', 'refreshTokenTtl']),
    idTokenSignedResponseAlg: token('algorithm'),
    idTokenClaims: token('claims'),
    ...named(security, [
      'isThirdParty',
      'deviceFlow',
      'dpopBoundAccessTokens',
      'fapi2',
      'backchannelLogoutSessionRequired',
    ]),
    ...named(key, ['jwks', 'jwksUri']),
    ...named(access, [
      'allowedResources',
      'tokenExchangeClients',
      'tokenExchangeResources',
      'tokenExchangeScopes',
    ]),
    allowedBuiltInResources: access('title'),
  }
  return (path) => labelOf(labels, path.replace(/^(?:oidc|custom)ClientMetadata\./, ''))
}

const named = <Key extends string>(t: (key: Key) => string, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, t(key)]))
