import { useHasHistory } from '../browser/facts.ts'
import { leaveBackwards } from '../browser/history-entry.ts'
import { useT } from '../context/boot.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'
import { Button } from '../ui/button.tsx'

export function NotFoundPage() {
  const t = useT()
  const hasHistory = useHasHistory()
  return (
    <EmptyFrame
      kind="notFound"
      title={t('description.not_found')}
      messages={[t('vestibule.not_found_message')]}
    >
      {/* The server does not know the history, so the button has its place in any case. */}
      <Button type="button" inert={!hasHistory} onClick={leaveBackwards}>
        {t('action.back')}
      </Button>
    </EmptyFrame>
  )
}
