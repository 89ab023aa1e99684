import { isBelow } from '../../../client/account/page-tree.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import {
  RECOVERY_LIFETIME,
  type RecoveryProgress,
  type RecoveryStep,
} from '../../domain/account/recovery-steps.ts'
import { sealAccountCookie, unsealAccountCookie } from './cookies.ts'
import type { Visit } from './visit.ts'

/**
 * The progress of a user who secures the account after activity that somebody else may have caused. It is kept in a
 * sealed cookie (spec/account-centre#this-wasnt-me).
 */

export const RECOVERY_PATH = '/account/not-me'

type Sources = Pick<Dependencies, 'seals' | 'now'>
type CookieRequest = Pick<Visit, 'tenantId' | 'request' | 'url'>

/** Returns the progress of a user in this browser, or null if the user has not started or started too long ago. */
export async function readProgress(
  dependencies: Sources,
  visit: CookieRequest,
  userId: string | null,
): Promise<RecoveryProgress | null> {
  const progress = await unsealAccountCookie(dependencies, visit, '_account_steps')
  const isValid = progress?.userId === userId && progress.startedAt + RECOVERY_LIFETIME > dependencies.now()
  return isValid ? progress : null
}

export const startProgress = (userId: string, now: number): RecoveryProgress => ({
  userId,
  startedAt: now,
  doneAt: {},
  isFinished: false,
})

/** Returns a `Set-Cookie` header that stores the progress. */
export const storeProgress = (
  dependencies: Sources,
  visit: CookieRequest,
  progress: RecoveryProgress,
): Promise<string> => sealAccountCookie(dependencies, visit, '_account_steps', progress)

/** The sections in which users take the steps. Their pages lead back to the steps until all are done. */
const stepSections: readonly string[] = ['/account/sign-in', '/account/sessions', '/account/applications']

export const leadsBackToSteps = (path: string, progress: RecoveryProgress | null): boolean =>
  progress !== null &&
  !progress.isFinished &&
  stepSections.some((section) => path === section || isBelow(path, section))

/** The forms that complete a step. */
const completingForms: Readonly<Record<string, RecoveryStep | undefined>> = {
  '/account/password change': 'password',
  '/account/sessions endOthers': 'sessions',
}

/**
 * Records that a form has completed a step. Returns where the browser goes next, or null if the form completes no step
 * or if the user takes none.
 */
export async function completeStep(
  dependencies: Sources,
  visit: CookieRequest,
  { userId, intent }: { userId: string; intent: string },
): Promise<{ to: string; cookie: string } | null> {
  const step = completingForms[`${visit.url.pathname} ${intent}`]
  const progress = step ? await readProgress(dependencies, visit, userId) : null
  if (!step || !progress || progress.isFinished) return null
  const doneAt = { ...progress.doneAt, [step]: dependencies.now() }
  return { to: RECOVERY_PATH, cookie: await storeProgress(dependencies, visit, { ...progress, doneAt }) }
}
