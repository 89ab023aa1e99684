import type { FormItem } from '../../contract/connectors/connectors.ts'
import { OptionalEndpoint, optionalItem, RequiredText, requiredItem, secretItem } from '../fields.ts'

/** The credentials that nearly all providers issue to a registered application. */
export const clientFields = { clientId: RequiredText, clientSecret: RequiredText }
export const clientItems = (idPlaceholder?: string): FormItem[] => [
  requiredItem('clientId', 'Client ID', idPlaceholder),
  secretItem('clientSecret', 'Client secret'),
]

/** The credentials of a registered application, under the names that some Chinese providers use. */
export const appFields = { appId: RequiredText, appSecret: RequiredText }
export const appItems = [requiredItem('appId', 'App ID'), secretItem('appSecret', 'App secret')]

/** The provider's endpoints. They are configured only for an enterprise installation or a test. */
export const endpointFields = {
  authorizationEndpoint: OptionalEndpoint,
  tokenEndpoint: OptionalEndpoint,
  userInfoEndpoint: OptionalEndpoint,
}
export const endpointItems: readonly FormItem[] = [
  optionalItem('authorizationEndpoint', 'Authorization endpoint'),
  optionalItem('tokenEndpoint', 'Token endpoint'),
  optionalItem('userInfoEndpoint', 'User info endpoint'),
]

export const scopeItem = (placeholder: string): FormItem => optionalItem('scope', 'Scope', placeholder)
