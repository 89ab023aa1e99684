import type { Dependencies } from '../../application/dependencies.ts'
import { startAgainPage } from './error-pages.ts'
import { pageResponse } from './page.ts'
import type { PageContext } from './page-context.ts'
import { guardPage, unknownSessionUrl } from './page-guard.ts'

/** The answer to a request that the guard does not let in; null for one that may enter. */
export async function guardAnswer(
  dependencies: Pick<Dependencies, 'tenantSettings'>,
  { tenantId, context }: { tenantId: string; context: PageContext },
  redirect: (to: string) => Response,
): Promise<Response | null> {
  const decision = guardPage(context)
  switch (decision.kind) {
    case 'enter':
      return null
    case 'notFound':
      return pageResponse(context, { status: 404 })
    case 'startAgain':
      return startAgainPage(context)
    case 'unknownSession':
      return redirect(await unknownSessionUrl(dependencies, tenantId))
    case 'redirect':
      return redirect(decision.to)
  }
}
