import { useEffect, useRef } from 'react'
import { useDismissalOnline } from '../browser/online.ts'
import { useT } from '../context/boot.tsx'
import { useReactionDispatcher } from '../reactions/reaction-dispatcher.tsx'
import { AlertIcon } from '../ui/icons.tsx'
import { MessageWithSupport } from '../ui/support-link.tsx'

/**
 * Shows an error that concerns the whole page, until the next attempt (spec/pages#feedback). The element is
 * always in the document, so that screen readers announce text that appears in it. The focus does not move. A message
 * about a missing connection disappears as soon as there is one.
 */
export function FormProblem() {
  const t = useT()
  const { problem, dismissProblem } = useReactionDispatcher()
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (problem) box.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])

  useDismissalOnline(problem?.tone === 'offline', box, dismissProblem)

  return (
    <div className="banner" role="alert" ref={box}>
      {problem && (
        <div className="form-problem" data-tone={problem.tone}>
          <AlertIcon />
          <p>{problem.tone ? problem.message : <MessageWithSupport message={problem.message} />}</p>
          {problem.repeat && (
            <button type="button" className="form-repeat" onClick={problem.repeat}>
              {t('vestibule.try_again')}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
