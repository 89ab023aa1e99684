import { useEffect, useRef } from 'react'
import { useDismissalOnline } from '../browser/online.ts'
import { useBoot, useT } from '../context/boot.tsx'
import { getConnectorName } from '../context/connector-name.ts'
import { useReactionDispatcher } from '../reactions/reaction-dispatcher.tsx'
import { AlertIcon } from '../ui/icons.tsx'
import { MessageWithSupport } from '../ui/support-link.tsx'

/**
 * Shows an error that concerns the whole page, until the next attempt (spec/pages#feedback). The element is
 * always in the document, so that screen readers announce text that appears in it. The focus does not move. That there
 * is no connection is shown only until there is one again.
 */
export function FormProblem() {
  const t = useT()
  const { problem, dismissProblem } = useReactionDispatcher()
  const tone = useTone(problem?.message ?? '')
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (problem) box.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])

  useDismissalOnline(tone === 'offline', box, dismissProblem)

  return (
    <div className="banner" role="alert" ref={box}>
      {problem && (
        <div className="form-problem" data-tone={tone}>
          <AlertIcon />
          <p>{tone ? problem.message : <MessageWithSupport message={problem.message} />}</p>
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

/**
 * Returns how a message looks if it is no error: the user cancelled the sign-in with a provider, or has no connection.
 * The text decides, because the step passes only the text from one page to the next.
 */
function useTone(message: string): 'calm' | 'offline' | undefined {
  const boot = useBoot()
  const t = useT()
  if (!message) return undefined
  if (message === t('vestibule.offline')) return 'offline'
  const isCancelled = boot.experience.socialConnectors.some(({ id }) =>
    message.startsWith(t('vestibule.social_cancelled', { name: getConnectorName(boot, id) })),
  )
  return isCancelled ? 'calm' : undefined
}
