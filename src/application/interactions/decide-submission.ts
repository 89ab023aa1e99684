import type { Experience } from '../../contract/experience/experience.ts'
import type { Interaction } from '../../contract/interactions/interaction.ts'
import { type Decision, decideSubmit } from '../../domain/interactions/submit.ts'
import { isAddressMissing, withoutRequiredAddresses } from '../../domain/interactions/submit-profile.ts'
import { isOperator } from '../../storage/access/administration.ts'
import { conditionQuery } from '../../storage/factors/factors.ts'
import type { Dependencies } from '../dependencies.ts'
import type { StoredSubmitFacts } from './submit-facts.ts'

type Submission = {
  tenantId: string
  interaction: Interaction
  facts: StoredSubmitFacts
  experience: Experience
}

/**
 * Decides about a submission. An administrator who lacks nothing but an address signs in without it, because a code to
 * a new address depends on a connector that only an administrator can repair (spec/interaction#missing-profile). The
 * roles are read only if an address is missing, so other sign-ins don't need the query.
 */
export async function decideSubmission(
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, interaction, facts, experience }: Submission,
): Promise<Decision> {
  const submitFacts = { ...facts, experience, targets: offeredOf(experience, facts.targets) }
  const decision = decideSubmit(interaction, submitFacts)
  const { accountId } = decision.interaction
  if (interaction.event !== 'SignIn' || accountId === undefined || !isAddressMissing(decision.outcome))
    return decision
  const [administrator] = await conditionQuery(db, isOperator(tenantId, accountId))
  return administrator
    ? decideSubmit(interaction, { ...submitFacts, experience: withoutRequiredAddresses(experience) })
    : decision
}

/**
 * Returns only the connectors that the experience still offers. Other connectors must neither link an identity nor sign
 * anyone in.
 */
const offeredOf = <Target>({ socialConnectors }: Experience, targets: Record<string, Target>) =>
  Object.fromEntries(
    Object.entries(targets).filter(([connectorId]) => socialConnectors.some(({ id }) => id === connectorId)),
  )
