import { Undo } from '../../../client/account/undo.tsx'
import { readUndo, type UndoableChange } from '../../application/account/undo.ts'
import { UNDO_PARAM } from '../../application/account/undo-link.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { maskIdentifier } from '../../domain/masking.ts'
import { drawAccountPage } from './draw-page.ts'
import { refusalText } from './refusal-text.ts'
import type { AskedAccount } from './visit.ts'

/** The page of a link that undoes a change: it says what will happen, because programs that check mails open links (spec/account-centre#undo). */
export async function showUndo(dependencies: Dependencies, asked: AskedAccount): Promise<Response> {
  const sealed = asked.url.searchParams.get(UNDO_PARAM) ?? ''
  const change = await readUndo(dependencies, asked.tenantId, sealed)
  return undoPage(dependencies, asked, { change, sealed })
}

type Shown = { change: UndoableChange; sealed: string; refusal?: Parameters<typeof refusalText>[2] }

/** Again with the refusal, where it could not be undone and may be later. */
export async function undoPage(
  dependencies: Dependencies,
  asked: AskedAccount,
  { change, sealed, refusal }: Shown,
): Promise<Response> {
  const { type, previous, present, resets } = change
  const body = (
    <Undo
      change={{ name: UNDO_PARAM, value: sealed }}
      previous={maskIdentifier({ type, value: previous })}
      present={present && maskIdentifier({ type, value: present })}
      resets={resets}
    />
  )
  const problem = refusal && {
    field: null,
    message: await refusalText(dependencies, asked, refusal),
    status: refusal.status,
  }
  const shown = { title: 'undo_title', user: null, body } as const
  return drawAccountPage(dependencies, asked, shown, { problem: problem ?? null, said: null })
}
