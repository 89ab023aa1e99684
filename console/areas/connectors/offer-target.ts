import type { SignInExperience } from '../../../src/contract/experience/experience.ts'
import { call } from '../../api/client.ts'
import { carryDraft, draftOf, setDraft } from '../../api/drafts.ts'
import { queryClient } from '../../api/queries.ts'
import { draftWithTarget, type Offering, withTarget } from './offered.ts'

const PATH = '/sign-in-exp'

/** Puts the button of a target on the sign-in page, or takes it away. Answers the targets that were there before, in their order. */
export async function offerTarget(offering: Offering): Promise<readonly string[]> {
  const { data, etag } = await call<SignInExperience>(PATH)
  const { socialSignInConnectorTargets: targets } = data
  if (targets.includes(offering.target) === offering.isOffered) return targets
  const saved = await call<SignInExperience>(PATH, {
    method: 'PATCH',
    body: { socialSignInConnectorTargets: withTarget(targets, offering) },
    ifMatch: etag,
  })
  const draft = draftOf(PATH)
  if (draft) {
    setDraft(PATH, draftWithTarget(draft, offering))
    carryDraft(PATH, etag, saved)
  }
  await queryClient.invalidateQueries({ queryKey: [PATH] })
  return targets
}
