import { refuseKeptChanges } from '../../application/account/account-fields.ts'
import { changeOwnProfile } from '../../application/account/profile.ts'
import { LANGUAGE_PARAM } from '../../contract/experience/languages.ts'
import { customChanges } from './custom-values.ts'
import { profileValues } from './profile-values.ts'
import { standardValues } from './standard-values.ts'
import type { Done, Post } from './visit.ts'

/** Saves what differs from what there is (spec/account-centre#profile). */
export async function saveProfile(post: Post): Promise<Done> {
  const { dependencies, tenantId, signedIn, form, message, beginAudit, background } = post
  const { user } = signedIn
  const before: Record<string, string> = profileValues(user)
  const given = [...form].filter(
    ([name, value]) => Object.hasOwn(before, name) && before[name] !== value.trim(),
  )
  const custom = await customChanges(post)
  const changed = [...given.map(([name]) => name), ...custom.names]
  if (changed.length === 0) return { message: 'saved' }

  const standard = await standardValues(
    post,
    Object.fromEntries(given.map(([name, value]) => [name, value.trim()])),
  )
  await refuseKeptChanges(dependencies, tenantId, standard)
  const changes = { ...standard, ...custom.values }
  const audit = beginAudit('Account.Profile.Update', { changed })
  await changeOwnProfile(dependencies, { tenantId, signedIn, changes, audit, message, background })
  const { locale } = standard.profile ?? {}
  return {
    message: 'saved',
    // The pages are in this language from now on.
    ...(locale && { to: `/account/profile?${new URLSearchParams({ [LANGUAGE_PARAM]: locale })}` }),
  }
}
