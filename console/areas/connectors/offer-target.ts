import type { SignInExperience } from '../../../src/contract/experience.ts'
import { call } from '../../api/client.ts'
import { carryDraft, draftOf, setDraft } from '../../api/drafts.ts'
import { queryClient } from '../../api/queries.ts'
import { draftWithTarget, withTarget } from './offered.ts'

const PATH = '/sign-in-exp'

/** Puts the button of a target on the sign-in page, as the last one, or takes it away. */
export async function offerTarget(target: string, isOffered: boolean): Promise<void> {
  const { data, etag } = await call<SignInExperience>(PATH)
  const { socialSignInConnectorTargets: targets } = data
  if (targets.includes(target) === isOffered) return
  const saved = await call<SignInExperience>(PATH, {
    method: 'PATCH',
    body: { socialSignInConnectorTargets: withTarget(targets, target, isOffered) },
    ifMatch: etag,
  })
  const draft = draftOf(PATH)
  if (draft) {
    setDraft(PATH, draftWithTarget(draft, target, isOffered))
    carryDraft(PATH, etag, saved)
  }
  await queryClient.invalidateQueries({ queryKey: [PATH] })
}
