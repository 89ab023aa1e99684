import type { Interaction } from '../../contract/interactions/interaction.ts'
import { refuseWith } from '../../contract/refused.ts'
import { listStatements, type Statements } from '../../storage/batches.ts'
import type { StorageChange } from '../../storage/commit.ts'
import {
  concludeInteraction,
  finishAuthorization,
  hasSignIn,
} from '../../storage/interactions/conclusions.ts'
import { joinLogs } from '../../storage/log-steps.ts'
import type { NewLog } from '../../storage/logs.ts'
import { isUnrevoked } from '../../storage/users/users.ts'
import { rethrowAsConflict } from '../account/uniqueness-refusal.ts'
import type { Dependencies } from '../dependencies.ts'
import { removeReplacedPicture } from '../experience/remove-uploads.ts'
import type { AuthorizationResponse } from './authorization.ts'
import type { EffectContext, SubmitEffects } from './effect.ts'
import type { InteractionCall } from './interaction-call.ts'
import type { OidcInteraction } from './oidc-interaction.ts'
import { buildOutboxEvents, sendSubmitNotifications } from './submit-effects.ts'

type SubmissionDependencies = Pick<Dependencies, 'db' | 'now' | 'deliveries' | 'network' | 'tenantSettings'>

type Submission = {
  row: OidcInteraction
  interaction: Interaction
  effects: SubmitEffects
  context: EffectContext
  /** The audit entry of the submission. */
  submit: NewLog
  /** The provider's response, if the submission finishes the authorization. */
  response: AuthorizationResponse | null
}

/**
 * Writes the effects in one batch and sends the notifications. The same batch either finishes the authorization or
 * stores the result, with which the browser resumes the interaction.
 */
export async function commitSubmission(
  dependencies: SubmissionDependencies,
  call: InteractionCall,
  { row, interaction, effects, context, submit, response }: Submission,
): Promise<void> {
  const { open, tenantId } = call
  const { userId, link, joins } = effects
  const account = context.accounts.find(({ id }) => id === userId)
  const change = {
    tenantId,
    condition: effects.condition ?? context.condition,
    preconditions: [
      // The account may have been revoked between the decision and the batch. Its proofs are then no longer valid.
      ...(account
        ? [{ condition: isUnrevoked(tenantId, account), code: 'session.verification_failed' as const }]
        : []),
      ...(link ? [link.precondition] : []),
    ],
    statements: { replaced: effects.picture?.replaced, effects: listStatements(effects.statements) },
    audit: [
      ...joinLogs(submit, { before: await open.takeHeldLogs(), after: response?.finished.logs ?? [] }),
      ...(link ? [link.audit] : []),
      ...(joins ? [joins.audit] : []),
    ],
    outbox: buildOutboxEvents(dependencies, call, { interaction, row, effects }),
  } satisfies StorageChange<Statements>
  const concluded = await (response
    ? finishAuthorization(dependencies.db, response.finished, change)
    : concludeInteraction(dependencies.db, { ...change, uid: open.uid, result: resultOf(row, effects) })
  ).catch(rethrowAsConflict)
  if (!concluded)
    refuseWith(
      (await hasSignIn(dependencies.db, tenantId, open.uid))
        ? 'session.already_submitted'
        : 'session.verification_session_not_found',
    )
  sendSubmitNotifications(dependencies, call, effects, concluded.outboxIds)
  const { replaced } = concluded
  if (replaced.length > 0) {
    const { avatar } = effects.picture ?? {}
    call.background(() => removeReplacedPicture(dependencies, { tenantId, userId, replaced, avatar }))
  }
}

/** Returns the result of the interaction, which contains that of an earlier prompt. */
export const resultOf = ({ lastSubmission }: OidcInteraction, { result }: SubmitEffects) =>
  'reset' in result ? result : { ...lastSubmission, ...result }
