import type { ConsentQuestion } from '../contract/boot.ts'
import { refuseWith } from '../contract/refused.ts'
import { accountLabel, destinationOf } from '../domain/consent.ts'
import { askedResourcesQuery } from '../storage/consents.ts'
import { toAccount } from '../storage/users.ts'
import { askedBy } from './consent.ts'
import type { Dependencies } from './dependencies.ts'
import type { OpenInteraction } from './open-interaction.ts'

/** What the consent page of a third party shows (spec/pages#consent). One round trip, with the application cached. */
export async function readConsentQuestion(
  { db, applications }: Pick<Dependencies, 'db' | 'applications'>,
  { tenantId, open }: { tenantId: string; open: OpenInteraction },
): Promise<ConsentQuestion> {
  const words = askedResourcesQuery(db, tenantId, open.uid)
  const { row, user, found, isOwnSession } = await open.rowAnd({ words })
  const asked = askedBy(row)
  const application = await applications.get(JSON.stringify([tenantId, row.clientId]))
  if (row.isConcluded || !isOwnSession || !asked || !user || !application) {
    refuseWith('session.not_found', { error_description: 'the interaction does not ask for consent' })
  }
  const account = toAccount(user)
  return {
    application: { name: application.name, logo: application.oidcClientMetadata.logoUri ?? null },
    destination: destinationOf(String(row.params.redirect_uri ?? '')),
    account: { label: accountLabel(account), avatar: account.avatar },
    scopes: asked.scopes,
    resources: Object.entries(asked.resources).map(([indicator, names]) => ({
      indicator,
      name: found.words.find((word) => word.indicator === indicator)?.name ?? indicator,
      scopes: names.map((name) => ({
        name,
        description:
          found.words.find((word) => word.indicator === indicator && word.scope === name)?.description ??
          null,
      })),
    })),
  }
}
