import type { ConsentQuestion, ConsentScopes } from '../../contract/interactions/boot.ts'
import { refuseWith } from '../../contract/refused.ts'
import { DEVICE_PATH, type DeviceRequest, OTHER_ACCOUNT_PARAM } from '../../contract/sessions/device.ts'
import {
  accountLabel,
  type ConsentRequest,
  redirectDestination,
  splitConsentRequest,
} from '../../domain/applications/consent.ts'
import { claimNames } from '../../domain/applications/template-claims.ts'
import { earlierConsentsQuery, requestedResourcesQuery } from '../../storage/applications/consents.ts'
import { toAccount } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import type { OpenInteraction } from '../interactions/interaction-call.ts'
import {
  getConsentRequest,
  getDeviceRequest,
  getOrganization,
  getUnregisteredClient,
} from './consent-details.ts'

type ConsentPageRequest = {
  tenantId: string
  open: OpenInteraction
  switchUrl: string | null
  /** Describes where, with what and when a device requested access, in the user's language. */
  describeDevice(device: DeviceRequest): readonly string[]
}

/**
 * Reads the data for the consent page of a third-party application or a device in one round trip. The application
 * itself is cached (spec/pages#consent).
 */
export async function readConsentQuestion(
  { db, applications }: Pick<Dependencies, 'db' | 'applications'>,
  { tenantId, open, switchUrl, describeDevice }: ConsentPageRequest,
): Promise<ConsentQuestion> {
  const key = { tenantId, uid: open.uid, applicationId: open.clientId }
  const { row, user, results, isOwnSession } = await open.readWith({
    words: requestedResourcesQuery(db, key),
    before: earlierConsentsQuery(db, key),
  })
  const request = getConsentRequest(row)
  const unregistered = getUnregisteredClient(row)
  const device = getDeviceRequest(row)
  const application = unregistered
    ? { ...unregistered, termsUrl: null, policyUrl: null, isSelfRegistered: false }
    : await readRegistered(applications, tenantId, row.clientId)
  if (row.isConcluded || !isOwnSession || !request || !user || !application) {
    refuseWith('session.not_found', { error_description: 'the interaction does not ask for consent' })
  }
  const account = toAccount(user)
  const organization = getOrganization(row)
  // Consents are given for one organisation and are stored in its grant.
  const { asked, granted } = splitConsentRequest(request, organization ? [] : results.before)
  return {
    application: {
      name: application.name,
      logo: application.logo,
      termsUrl: application.termsUrl,
      policyUrl: application.policyUrl,
    },
    unregistered: unregistered ? { host: unregistered.host, isLocal: unregistered.isLocal } : null,
    isSelfRegistered: application.isSelfRegistered,
    device: device ? { code: device.code, origin: describeDevice(device) } : null,
    organization: organization?.name ?? null,
    destination: redirectDestination(String(row.params.redirect_uri ?? '')),
    account: {
      label: accountLabel(account),
      avatar: account.avatar,
      switchUrl: device ? otherAccountUrl(device) : switchUrl,
    },
    asked: withDescriptions(asked, results.words),
    granted: withDescriptions(withoutClaims(granted, claimNames(asked.claims)), results.words),
  }
}

/** Returns the URL that enters the device's code again, to sign in to another account. */
const otherAccountUrl = ({ code }: DeviceRequest) =>
  `/oidc${DEVICE_PATH}?${new URLSearchParams({ user_code: code, [OTHER_ACCOUNT_PARAM]: '1' })}`

async function readRegistered(
  applications: Dependencies['applications'],
  tenantId: string,
  id: string,
): Promise<(ConsentQuestion['application'] & { isSelfRegistered: boolean }) | null> {
  const application = await applications.get(JSON.stringify([tenantId, id]))
  return (
    application && {
      name: application.name,
      logo: application.oidcClientMetadata.logoUri ?? null,
      termsUrl: application.customClientMetadata.tosUri ?? null,
      policyUrl: application.customClientMetadata.policyUri ?? null,
      isSelfRegistered: application.customClientMetadata.dynamicRegistration !== undefined,
    }
  )
}

/** Leaves out claims that were granted with other data, because the page asks for them again under the same name. */
const withoutClaims = (granted: ConsentRequest, names: readonly string[]): ConsentRequest => ({
  ...granted,
  claims: claimNames(granted.claims).filter((name) => !names.includes(name)),
})

type Descriptions = readonly {
  indicator: string
  name: string
  scope: string | null
  description: string | null
}[]

/**
 * Adds names and descriptions to the scopes. A resource or scope that has since been deleted is shown by its
 * identifier.
 */
const withDescriptions = (
  { scopes, claims, resources }: ConsentRequest,
  words: Descriptions,
): ConsentScopes => ({
  scopes,
  claims: claimNames(claims),
  resources: Object.entries(resources).map(([indicator, names]) => ({
    indicator,
    name: words.find((word) => word.indicator === indicator)?.name ?? indicator,
    scopes: names.map((name) => ({
      name,
      description:
        words.find((word) => word.indicator === indicator && word.scope === name)?.description ?? null,
    })),
  })),
})
