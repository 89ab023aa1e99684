import type { BootData } from '../../src/contract/boot.ts'
import { useBoot, useT } from '../app/boot.tsx'
import { EmptyFrame } from '../layout/empty-frame.tsx'
import { BackBar } from '../layout/frame.tsx'
import { ButtonLink } from '../ui/button.tsx'

type PageError = NonNullable<BootData['error']>

/** An error of the interaction itself, not of one of its pages. */
export const isOver = ({ code }: PageError) => code.startsWith('session.')

/** What went wrong before there was a page, the provider's refusals among it. */
export function ErrorPage({ error }: { error: PageError }) {
  const { restartUrl } = useBoot()
  const t = useT()
  const { code, message, description } = error
  // Sessions end by themselves: there is nothing to report, only to begin again (decision 6).
  if (isOver(error)) return <StartAgain message={message} />
  return (
    <EmptyFrame
      title={t('vestibule.error_title')}
      messages={[message, ...(restartUrl ? [] : [t('vestibule.error_message')])]}
      detail={t('vestibule.error_code', { code: description ? `${code} (${description})` : code })}
    >
      <Restart />
    </EmptyFrame>
  )
}

/** The interaction is over (decision 6). */
export function StartAgain({ message }: { message: string }) {
  const { restartUrl } = useBoot()
  const t = useT()
  return (
    <EmptyFrame
      title={t('vestibule.expired_title')}
      // Who can begin again here is not sent back to where they came from.
      messages={
        restartUrl ? [t('vestibule.expired_or_completed')] : [message, t('vestibule.expired_message')]
      }
    >
      <Restart />
    </EmptyFrame>
  )
}

/** A step whose page before it is not known any more (product 2): the message is the title (contract 10.4). */
export function NavigationMissing() {
  const t = useT()
  return (
    <>
      <BackBar />
      <EmptyFrame title={t('error.invalid_session')} messages={[]} />
    </>
  )
}

function Restart() {
  const { restartUrl } = useBoot()
  const t = useT()
  return restartUrl && <ButtonLink href={restartUrl}>{t('vestibule.start_again')}</ButtonLink>
}
