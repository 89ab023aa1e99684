import { Returning } from '../../../client/account/returning.tsx'
import type { Dependencies } from '../../application/dependencies.ts'
import { drawAccountPage } from './draw-page.ts'
import type { AskedAccount } from './visit.ts'

/** The state is in the fragment, which no server sees: the script of this page sends it to the callback again. */
export function returningPage(
  dependencies: Dependencies,
  asked: AskedAccount,
  connectorId: string,
): Promise<Response> {
  const body = <Returning connectorId={connectorId} />
  const shown = { title: 'identities', user: null, script: 'answer', body } as const
  return drawAccountPage(dependencies, asked, shown, { said: null })
}
