import { orRefuse } from '../../contract/refused.ts'
import { refusesAttempts } from '../../domain/limits.ts'
import { readAccountData } from '../../storage/account/account-data.ts'
import { logsOfUserQuery } from '../../storage/user-logs.ts'
import type { Dependencies } from '../dependencies.ts'
import type { SignedInUser } from '../sessions/access-token.ts'
import { requireRecentProof } from '../sessions/recent-proof.ts'
import { accountDocument } from './account-data-document.ts'

type Wanted = { tenantId: string; signedIn: SignedInUser; schema: string }

/** Everything that is stored about a user who has just proved to be present, as one JSON document (spec/account-centre#data). */
export async function ownData(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'settings' | 'tenantSettings'>,
  { tenantId, signedIn, schema }: Wanted,
): Promise<ReadableStream<Uint8Array>> {
  const { db, now, settings, tenantSettings } = dependencies
  await requireRecentProof(dependencies, tenantId, signedIn)
  const { user } = signedIn
  const owner = { tenantId, userId: user.id }
  const { limits, secondFactor } = await tenantSettings.get(tenantId)
  const at = now()
  const { consumed, ...found } = await readAccountData(db, owner, {
    attempts: [{ limit: 'ownDataDownloads', id: user.id }],
    given: { limits, environment: settings.environment, now: at },
    rememberDays: secondFactor.rememberDays,
  })
  orRefuse(refusesAttempts(consumed, at))
  const following = (last: { createdAt: number; id: string }) => logsOfUserQuery(db, owner, last)
  return streamOf(accountDocument({ schema, at, user, found, following }))
}

/** Asked for as it is sent, so that a slow reader holds no more in memory. */
function streamOf(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}
