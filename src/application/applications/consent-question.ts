import type { ConsentQuestion, ConsentScopes } from '../../contract/interactions/boot.ts'
import { refuseWith } from '../../contract/refused.ts'
import {
  accountLabel,
  type ConsentRequest,
  destinationOf,
  newlyAsked,
} from '../../domain/applications/consent.ts'
import { grantedBeforeQuery, requestedResourcesQuery } from '../../storage/applications/consents.ts'
import { toAccount } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import type { OpenInteraction } from '../interactions/interaction-call.ts'
import { askedBy, unregisteredIn } from './consent.ts'

type ConsentPageRequest = { tenantId: string; open: OpenInteraction; switchUrl: string | null }

/** What the consent page of a third party shows (spec/pages#consent). One round trip, with the application cached. */
export async function readConsentQuestion(
  { db, applications }: Pick<Dependencies, 'db' | 'applications'>,
  { tenantId, open, switchUrl }: ConsentPageRequest,
): Promise<ConsentQuestion> {
  const key = { tenantId, uid: open.uid, applicationId: open.clientId }
  const { row, user, results, isOwnSession } = await open.readWith({
    words: requestedResourcesQuery(db, key),
    before: grantedBeforeQuery(db, key),
  })
  const request = askedBy(row)
  const seen = unregisteredIn(row)
  const application = seen
    ? { ...seen, isSelfRegistered: false }
    : await registered(applications, tenantId, row.clientId)
  if (row.isConcluded || !isOwnSession || !request || !user || !application) {
    refuseWith('session.not_found', { error_description: 'the interaction does not ask for consent' })
  }
  const account = toAccount(user)
  const { asked, granted } = newlyAsked(request, results.before)
  return {
    application: { name: application.name, logo: application.logo },
    unregistered: seen ? { host: seen.host, isLocal: seen.isLocal } : null,
    isSelfRegistered: application.isSelfRegistered,
    destination: destinationOf(String(row.params.redirect_uri ?? '')),
    account: { label: accountLabel(account), avatar: account.avatar, switchUrl },
    asked: inWords(asked, results.words),
    granted: inWords(granted, results.words),
  }
}

async function registered(
  applications: Dependencies['applications'],
  tenantId: string,
  id: string,
): Promise<{ name: string; logo: string | null; isSelfRegistered: boolean } | null> {
  const application = await applications.get(JSON.stringify([tenantId, id]))
  return (
    application && {
      name: application.name,
      logo: application.oidcClientMetadata.logoUri ?? null,
      isSelfRegistered: application.customClientMetadata.dynamicRegistration !== undefined,
    }
  )
}

type Words = readonly { indicator: string; name: string; scope: string | null; description: string | null }[]

/** A resource or a scope that is gone is named as it was asked for. */
const inWords = ({ scopes, resources }: ConsentRequest, words: Words): ConsentScopes => ({
  scopes,
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
