import {
  findRedirectUriProblem,
  type RedirectUriOwner,
} from '../../../src/domain/applications/redirect-uri.ts'
import { useT } from '../../phrases.ts'
import { LinesField } from '../../ui/fields.tsx'
import { redirectErrorPhrases } from './phrases.ts'

type LinesProps = {
  label: string
  hint?: string
  value: readonly string[]
  onChange: (value: string[]) => void
  problem?: string | undefined
  isDisabled?: boolean
}

export const CodeLinesField = (props: LinesProps) => <LinesField {...props} isCode />

/**
 * Edits the URLs that users can be redirected to. They are checked while the user types, with the same rule as on the
 * server. `problemAt` returns the server's problem with a URL.
 */
export function RedirectUrisField({
  owner,
  problemAt,
  ...field
}: LinesProps & { owner: RedirectUriOwner; problemAt?: (index: number) => string | undefined }) {
  const t = useT(redirectErrorPhrases)
  const problems = field.value.flatMap((uri, index) => {
    const fault = findRedirectUriProblem(uri, owner)
    const says = fault ? t(fault) : problemAt?.(index)
    return says ? [`${uri}: ${says}`] : []
  })
  return <CodeLinesField {...field} problem={problems.length > 0 ? problems.join('\n') : field.problem} />
}
