import type { SignInExperience } from '../../../src/contract/experience.ts'
import { call } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'

/** Puts the button of a target on the sign-in page, as the last one, or takes it away. */
export async function offerTarget(target: string, isOffered: boolean): Promise<void> {
  const { data, etag } = await call<SignInExperience>('/sign-in-exp')
  const { socialSignInConnectorTargets: targets } = data
  if (targets.includes(target) === isOffered) return
  const next = isOffered ? [...targets, target] : targets.filter((one) => one !== target)
  await call('/sign-in-exp', {
    method: 'PATCH',
    body: { socialSignInConnectorTargets: next },
    ifMatch: etag,
  })
  await queryClient.invalidateQueries({ queryKey: ['/sign-in-exp'] })
}
