import type { ClaimTemplate } from '../../contract/applications/claim-template.ts'
import { invalidInput, unprocessableInput } from '../../contract/invalid-input.ts'
import { RefusalError, throwIfRefused } from '../../contract/refused.ts'
import { type ExchangePolicy, findExchangeProblems } from '../../domain/access/token-exchange.ts'
import {
  type ApplicationUrls,
  findApplicationUrlProblems,
  lacksRedirectUri,
} from '../../domain/applications/application-rules.ts'
import { findTemplateProblems } from '../../domain/applications/claim-template.ts'
import { findFapiProblems } from '../../domain/applications/fapi.ts'
import { findAccessProblems, type ResourceLists } from '../../domain/applications/resource-access.ts'
import { findPictureProblem } from '../../domain/experience/pictures.ts'
import type { ApplicationRow, ApplicationRowPatch } from '../../storage/applications/applications.ts'
import type { Dependencies } from '../dependencies.ts'

/** Rules for applications that a schema cannot express (spec/management#applications). */

export type ApplicationChanges = Omit<
  ApplicationRowPatch,
  'secret' | 'oidcClientMetadata' | 'customClientMetadata'
> & {
  secret?: string | undefined
  oidcClientMetadata?:
    | (Partial<ApplicationUrls['oidcClientMetadata']> & { logoUri?: string | null | undefined })
    | undefined
  customClientMetadata?:
    | Partial<Nullable<ApplicationUrls['customClientMetadata'] & Pick<ResourceLists, 'isThirdParty'>>>
    | undefined
}

/** `origin` is the origin of the pages that show the application's logo. */
type Circumstances = Pick<Dependencies, 'settings'> & { origin: string }

export function checkNewApplication(
  application: CheckedApplication & { oidcClientMetadata: { logoUri?: string | undefined } } & Pick<
      ApplicationChanges,
      'claims'
    >,
  { settings, origin }: Circumstances,
): void {
  refuseProblems(application, settings)
  refuseTemplate(application.claims, 'application')
  refuseWithoutRedirectUri(application)
  refuseBlockedLogo(application.oidcClientMetadata.logoUri, origin)
}

export function checkApplicationChanges(
  stored: ApplicationRow,
  changes: ApplicationChanges,
  { settings, origin }: Circumstances,
): void {
  const after = applicationAfter(stored, changes)
  refuseTemplate(changes.claims, 'application')
  refuseProblems(after, settings, hasSameAddresses(stored, after) ? asFirstParty(after) : after)
  // Applications that were created before this rule existed can still be renamed.
  const isChecked =
    changes.type !== undefined ||
    'redirectUris' in (changes.oidcClientMetadata ?? {}) ||
    'deviceFlow' in (changes.customClientMetadata ?? {})
  if (isChecked) refuseWithoutRedirectUri(after)
  const logo = changes.oidcClientMetadata?.logoUri
  if (logo !== stored.oidcClientMetadata.logoUri) refuseBlockedLogo(logo, origin)
}

/**
 * Applies the URL rules for first-party applications. Third-party applications that already had plain HTTP URLs may
 * keep them, so that their other fields can still be changed.
 */
const asFirstParty = ({ customClientMetadata, ...application }: ApplicationUrls) => ({
  ...application,
  customClientMetadata: { ...customClientMetadata, isThirdParty: undefined },
})

const hasSameAddresses = (stored: ApplicationUrls, after: ApplicationUrls): boolean =>
  addressesAsText(stored) === addressesAsText(after)

/** Serialises an application's URLs, together with the fields that determine which URLs are allowed, for comparison. */
const addressesAsText = ({ type, oidcClientMetadata, customClientMetadata }: ApplicationUrls) => {
  const { redirectUris, postLogoutRedirectUris } = oidcClientMetadata
  const isThirdParty = customClientMetadata.isThirdParty === true
  return JSON.stringify({ type, isThirdParty, redirectUris, postLogoutRedirectUris })
}

type CheckedApplication = ApplicationUrls & { customClientMetadata: ResourceLists & ExchangePolicy }

function refuseProblems(
  application: CheckedApplication,
  settings: Dependencies['settings'],
  addresses: ApplicationUrls = application,
): void {
  const issues = [
    ...findApplicationUrlProblems(addresses, settings),
    ...findAccessProblems(application.customClientMetadata),
    ...findExchangeProblems(application.type, application.customClientMetadata),
    ...findFapiProblems(application),
  ]
  if (issues.length > 0) throw invalidInput({ issues: issues.map((issue) => ({ code: 'custom', ...issue })) })
}

/** Rejects a template of claims that cannot be stored (spec/provider#claim-templates). */
export function refuseTemplate(
  template: ClaimTemplate | null | undefined,
  owner: 'application' | 'resource',
): void {
  const issues = findTemplateProblems(template, owner)
  if (issues.length > 0) throw invalidInput({ issues: issues.map((issue) => ({ code: 'custom', ...issue })) })
}

function refuseWithoutRedirectUri(application: ApplicationUrls): void {
  if (!lacksRedirectUri(application)) return
  const message = 'must not be empty for an application of this type'
  throw new RefusalError(unprocessableInput([{ path: ['oidcClientMetadata', 'redirectUris'], message }]))
}

function refuseBlockedLogo(address: string | null | undefined, origin: string): void {
  throwIfRefused(findPictureProblem([{ path: ['oidcClientMetadata', 'logoUri'], address }], origin))
}

/** Returns the application as it will be after the changes, so that all its fields can be checked together. */
function applicationAfter(stored: ApplicationRow, changes: ApplicationChanges): CheckedApplication {
  const { redirectUris, postLogoutRedirectUris } = {
    ...stored.oidcClientMetadata,
    ...changes.oidcClientMetadata,
  }
  const {
    backchannelLogoutUri,
    deviceFlow,
    dpopBoundAccessTokens,
    fapi2,
    idTokenSignedResponseAlg,
    jwks,
    jwksUri,
    organizationMode,
    refreshTokenMaxTtl,
    refreshTokenTtl,
    isThirdParty,
    allowedBuiltInResources,
    dynamicRegistration,
    tokenExchangeClients,
    tokenExchangeResources,
    tokenExchangeScopes,
  }: Nullable<CheckedApplication['customClientMetadata']> = {
    ...stored.customClientMetadata,
    ...changes.customClientMetadata,
  }
  return {
    type: changes.type ?? stored.type,
    oidcClientMetadata: { redirectUris, postLogoutRedirectUris },
    customClientMetadata: {
      backchannelLogoutUri: backchannelLogoutUri ?? undefined,
      deviceFlow: deviceFlow ?? undefined,
      dpopBoundAccessTokens: dpopBoundAccessTokens ?? undefined,
      fapi2: fapi2 ?? undefined,
      idTokenSignedResponseAlg: idTokenSignedResponseAlg ?? undefined,
      jwks: jwks ?? undefined,
      jwksUri: jwksUri ?? undefined,
      organizationMode: organizationMode ?? undefined,
      refreshTokenMaxTtl: refreshTokenMaxTtl ?? undefined,
      refreshTokenTtl: refreshTokenTtl ?? undefined,
      isThirdParty: isThirdParty ?? undefined,
      dynamicRegistration: dynamicRegistration ?? undefined,
      allowedBuiltInResources: allowedBuiltInResources ?? undefined,
      tokenExchangeClients: tokenExchangeClients ?? undefined,
      tokenExchangeResources: tokenExchangeResources ?? undefined,
      tokenExchangeScopes: tokenExchangeScopes ?? undefined,
    },
  }
}

type Nullable<T> = { [K in keyof T]: T[K] | null }
