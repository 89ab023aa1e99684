import { requireEditableFields } from '../../application/account/account-fields.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { isFieldVisible } from '../../contract/account/account-fields.ts'
import { PICTURE_PATH } from '../../contract/experience/user-assets.ts'
import { refuseWith } from '../../contract/refused.ts'
import { isTaskLocked } from '../../domain/account/account-link.ts'
import { organizationPages, toPagePattern } from '../organisations/pages.ts'
import { readPageContext } from '../pages/page-context.ts'
import { activityPage } from './activity-page.tsx'
import { addressCodePage, addressPage } from './address-page.tsx'
import { applicationsPage } from './applications-page.tsx'
import { browsersPage } from './browsers-page.tsx'
import { deleteAccountCookie, unsealAccountCookie } from './cookies.ts'
import { dataPage } from './data-page.tsx'
import { factorsPage, newAppPage } from './factors-page.tsx'
import { identitiesPage } from './identities-page.tsx'
import { overviewPage } from './overview-page.tsx'
import type { AccountPage, FormAction } from './page.ts'
import { newPasskeyPage, newSecurityKeyPage, passkeysPage } from './passkeys-page.tsx'
import { passwordPage } from './password-page.tsx'
import { picturePage } from './picture-page.tsx'
import type { FormProblem } from './problem.ts'
import { profilePage } from './profile-page.tsx'
import { leadsBackToSteps, RECOVERY_PATH, readProgress } from './recovery.ts'
import { recoveryPage } from './recovery-page.tsx'
import { renderAccountPage } from './render.tsx'
import { sessionsPage } from './sessions-page.tsx'
import { signInPage } from './sign-in-page.tsx'
import { openVisit, type Visit } from './visit.ts'

/** The account-centre pages, keyed by path. Those of one organisation have a parameter in place of its id. */
export const accountPages: Readonly<Record<string, AccountPage | undefined>> = {
  '/account': overviewPage,
  '/account/profile': profilePage,
  [PICTURE_PATH]: picturePage,
  // The pages about sign-in methods and account security (spec/account-centre#sign-in-and-security).
  '/account/sign-in': signInPage,
  '/account/email': addressPage('email'),
  '/account/email/code': addressCodePage('email'),
  '/account/phone': addressPage('phone'),
  '/account/phone/code': addressCodePage('phone'),
  '/account/password': passwordPage,
  '/account/passkeys': passkeysPage,
  '/account/passkeys/new': newPasskeyPage,
  '/account/factors': factorsPage,
  '/account/factors/app': newAppPage,
  '/account/factors/key': newSecurityKeyPage,
  '/account/browsers': browsersPage,
  '/account/identities': identitiesPage,
  '/account/sessions': sessionsPage,
  '/account/applications': applicationsPage,
  // The pages about the data that is stored about the user.
  '/account/activity': activityPage,
  [RECOVERY_PATH]: recoveryPage,
  '/account/data': dataPage,
  ...organizationPages,
}

/** Returns the page of a path, or undefined if there is none. */
export const findAccountPage = (pathname: string): AccountPage | undefined =>
  accountPages[toPagePattern(pathname)]

/**
 * Returns a form's action, or undefined if the page does not have it. Throws if the tenant does not let users edit the
 * page's field.
 */
export function findFormAction(path: string, intent: string): FormAction | undefined {
  const page = findAccountPage(path)
  const action = page && Object.hasOwn(page.actions, intent) ? page.actions[intent] : undefined
  return (
    action &&
    (async (submission) => {
      if (page?.field) await requireEditableFields(submission.dependencies, submission.tenantId, [page.field])
      return action(submission)
    })
  )
}

/** Shows a page. After a rejected form, it shows the problem and the submitted values. */
export async function showAccountPage(
  dependencies: Dependencies,
  visit: Visit,
  after: { problem?: FormProblem; typed?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  const { url, link } = visit
  const page = findAccountPage(url.pathname)
  const { fields } = (await dependencies.tenantSettings.get(visit.tenantId)).accountCentre
  if (!page || (page.field && !isFieldVisible(fields, page.field))) return refuseWith('entity.not_found')
  // Applications can link only to tasks. If users cannot edit the field, the page has no task, so applications cannot
  // link to it.
  if (link && !after.problem && isTaskLocked(url.pathname, fields)) refuseWith('entity.not_found')
  const [context, openedVisit, cookie] = await Promise.all([
    readPageContext(dependencies, visit),
    openVisit(dependencies, visit, page),
    unsealAccountCookie(dependencies, visit, '_account_flash'),
  ])
  const isOwn = cookie?.userId === undefined || cookie.userId === openedVisit.userId
  const flash = cookie?.path === url.pathname && isOwn ? cookie : null
  const progress = await readProgress(dependencies, visit, openedVisit.userId)
  const typed = after.typed ?? flash?.typed ?? {}
  const view = await page.show(openedVisit, { typed, fields })
  const response = await renderAccountPage(dependencies, visit, view, {
    problem: after.problem,
    typed,
    flash,
    context,
    hasSteps: leadsBackToSteps(url.pathname, progress),
  })
  // Delete the cookie, so that the message is shown only once.
  if (cookie) response.headers.append('set-cookie', deleteAccountCookie('_account_flash', url))
  return response
}
