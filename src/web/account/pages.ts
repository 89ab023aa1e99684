import { refuseKeptFields } from '../../application/account/account-fields.ts'
import { PICTURE_PATH } from '../../contract/experience/user-assets.ts'
import { applicationsPage } from './applications-page.tsx'
import { dataPages } from './data-pages.ts'
import { overviewPage } from './overview-page.tsx'
import { picturePage } from './picture-page.tsx'
import { profilePage } from './profile-page.tsx'
import { sessionsPage } from './sessions-page.tsx'
import { signInPages } from './sign-in-pages.ts'
import type { AccountPage, Act } from './visit.ts'

/** By address. */
export const accountPages: Readonly<Record<string, AccountPage | undefined>> = {
  '/account': overviewPage,
  '/account/profile': profilePage,
  [PICTURE_PATH]: picturePage,
  ...signInPages,
  '/account/sessions': sessionsPage,
  '/account/applications': applicationsPage,
  ...dataPages,
}

/** A form of a page, refused where the tenant keeps what it changes. */
export function actionOf(path: string, intent: string): Act | undefined {
  const page = accountPages[path]
  const act = page && Object.hasOwn(page.actions, intent) ? page.actions[intent] : undefined
  return (
    act &&
    (async (post) => {
      if (page?.field) await refuseKeptFields(post.dependencies, post.tenantId, [page.field])
      return act(post)
    })
  )
}
