import type { FormItem } from '../contract/connectors.ts'
import { Endpoint, optional, Required, required, secret } from './fields.ts'

/** What nearly every provider gives to an application that is registered there. */
export const clientFields = { clientId: Required, clientSecret: Required }
export const clientItems = [required('clientId', 'Client ID'), secret('clientSecret', 'Client secret')]

/** The names that some Chinese providers have for the same. */
export const appFields = { appId: Required, appSecret: Required }
export const appItems = [required('appId', 'App ID'), secret('appSecret', 'App secret')]

/** Only to reach a provider at other addresses: an installation of an enterprise, or a test. */
export const endpointFields = {
  authorizationEndpoint: Endpoint,
  tokenEndpoint: Endpoint,
  userInfoEndpoint: Endpoint,
}
export const endpointItems: readonly FormItem[] = [
  optional('authorizationEndpoint', 'Authorization endpoint'),
  optional('tokenEndpoint', 'Token endpoint'),
  optional('userInfoEndpoint', 'User info endpoint'),
]

export const scopeItem = (placeholder: string): FormItem => optional('scope', 'Scope', placeholder)
