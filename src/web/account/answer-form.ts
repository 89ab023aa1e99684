import type { Dependencies } from '../../application/dependencies.ts'
import { refuse } from '../../contract/errors.ts'
import { INTENT_FIELD } from '../../contract/interactions/interaction.ts'
import { endsTask, wayBack } from '../../domain/account/account-link.ts'
import { errorPage } from '../pages/error-pages.ts'
import { answerRefusal } from './answer-refusal.ts'
import { accountCookie } from './cookies.ts'
import { drawAccountPage } from './draw-page.ts'
import { type AccountForm, openPost } from './form-post.ts'
import { actionOf } from './pages.ts'
import { redirectTo } from './redirect.ts'
import { type AskedAccount, openVisit } from './visit.ts'

/**
 * Does what a form asks for, and answers 303: to the page again, to the
 * provider for a fresh proof, or back to the application that has linked to the task.
 */
export async function answerAccountForm(dependencies: Dependencies, asked: AccountForm): Promise<Response> {
  const path = asked.url.pathname
  const intent = asked.form.get(INTENT_FIELD) ?? ''
  const act = actionOf(path, intent)
  if (!act) return errorPage(dependencies, asked, refuse('guard.invalid_input'))
  const { signedIn } = await (await openVisit(dependencies, asked)).read(() => ({}))
  const { post, keepAudit, countChange } = openPost(dependencies, asked, signedIn)
  try {
    await countChange()
    const done = await act(post)
    keepAudit()
    if (done instanceof Response) return done
    const { page, cookies = [], to = path, ...said } = done
    const { link } = asked
    const isDone = endsTask(path, intent)
    const flash = said.message === undefined ? null : { ...said, message: said.message }
    if (page) {
      const answer = await drawAccountPage(dependencies, asked, page, { said: flash, isDone })
      for (const cookie of cookies) answer.headers.append('set-cookie', cookie)
      return answer
    }
    if (link && isDone) return redirectTo(wayBack(link, { page: path, result: 'completed' }), 303, cookies)
    return redirectTo(onward(to, link), 303, [
      ...cookies,
      ...(flash
        ? [
            await accountCookie(dependencies, asked, '_account_flash', {
              userId: signedIn.user.id,
              path: new URL(to, asked.url).pathname,
              ...flash,
            }),
          ]
        : []),
    ])
  } catch (error) {
    if (!(error instanceof Error)) throw error
    keepAudit(error)
    return answerRefusal(dependencies, asked, { error, signedIn })
  }
}

/** Another page keeps the link by which the first one was opened. */
const onward = (to: string, link: AskedAccount['link']): string =>
  link ? to + (to.includes('?') ? link.search.replace('?', '&') : link.search) : to
