import { useBoot, useT } from '../context/boot.tsx'
import { JourneyForm } from '../forms/journey-form.tsx'
import { getReactionToFailure } from '../journeys/reaction-table.ts'
import { LandingFrame } from '../layout/frame.tsx'
import type { FormJourney, PageJourneys } from '../reactions/reactions.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import '../styles/disc.css'

/** A globe with a line through it. */
const NetworkIcon = () => (
  <Icon path="M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM3 10h14M10 3c2.5 2 3.5 4.4 3.5 7s-1 5-3.5 7c-2.5-2-3.5-4.4-3.5-7s1-5 3.5-7ZM3.5 3.5l13 13" />
)

/**
 * Says that the organisation for which the user wants to act allows other networks only. The button takes the refusal
 * to the application (spec/organisations#networks).
 */
export default function NetworkPage() {
  const { experience } = useBoot()
  const t = useT()
  const { name: organization } = experience.branding
  return (
    <LandingFrame
      title={t('vestibule.network_title')}
      description={
        organization
          ? t('vestibule.network_message', { organization })
          : t('vestibule.network_message_unnamed')
      }
      icon={<NetworkIcon />}
    >
      <JourneyForm>{() => <Button>{t('vestibule.network_leave')}</Button>}</JourneyForm>
    </LandingFrame>
  )
}

/** Ends the interaction. The application receives `access_denied`. */
const leave: FormJourney = async ({ api, boot }) => {
  const { readOutcome } = await import('../api/api.ts')
  const cancelled = await readOutcome<{ redirectTo: string }>(api.calls.$delete())
  return cancelled.ok
    ? { kind: 'leave', url: cancelled.value.redirectTo, replace: true }
    : getReactionToFailure(cancelled.error, boot)
}

export const journeys: PageJourneys = { send: leave }
