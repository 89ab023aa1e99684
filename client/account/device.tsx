import type { DevicePage, DeviceQuestion } from '../../src/contract/sessions/device.ts'
import { parseUserAgent } from '../../src/domain/user-agent.ts'
import { Button } from '../ui/button.tsx'
import { withLink } from '../ui/rich-text.tsx'
import { useTexts } from './account-view.tsx'
import {
  Detail,
  DetailList,
  Heading,
  Input,
  TimeDetail,
  useDeviceFormatter,
  useLocationFormatter,
} from './parts.tsx'

/** Lets users sign in on a device that has no browser (spec/pages#devices). */
export function Device({ page }: { page: DevicePage }) {
  switch (page.stage) {
    case 'code':
      return <Code {...page} />
    case 'question':
      return <Question {...page} />
    case 'allowed':
      return <End title="device_allowed" lead="device_return" />
    case 'denied':
      return <End title="device_denied" lead="device_no_access" />
    case 'used':
      return <End title="device_title" lead="device_used" />
  }
}

type PageAt<Stage> = Extract<DevicePage, { stage: Stage }>

function Code({ action, xsrf, code }: PageAt<'code'>) {
  const t = useTexts()
  return (
    <>
      <Heading title={t('device_title')} lead={t('device_lead')} />
      <form method="post" action={action} className="account-card account-form">
        <input type="hidden" name="xsrf" value={xsrf} />
        <Input
          name="user_code"
          label={t('device_code')}
          defaultValue={code}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          maxLength={32}
          dir="ltr"
          required
        />
        <p>{t('device_warning')}</p>
        <Button>{t('action.continue')}</Button>
      </form>
    </>
  )
}

function Question({ action, xsrf, code, question }: PageAt<'question'>) {
  const t = useTexts()
  const { application, account } = question
  const title = withLink(t('vestibule.consent_question'), <bdi>{application.name}</bdi>)
  return (
    <>
      <Heading title={title} lead={t('device_warning')} />
      <form method="post" action={action} className="account-card account-form">
        <Request question={question} code={code} />
        {account === null && <p>{t('device_sign_in_next')}</p>}
        <input type="hidden" name="xsrf" value={xsrf} />
        <input type="hidden" name="user_code" value={code} />
        <Button name="confirm" value="yes">
          {t('vestibule.consent_allow')}
        </Button>
        <Button kind="quiet" name="abort" value="yes">
          {t('device_deny')}
        </Button>
        {account !== null && (
          <Button kind="quiet" name="confirm" value="other">
            {t('device_other_account')}
          </Button>
        )}
      </form>
    </>
  )
}

/** Shows the code that appears on the device and where the request came from, so that users can verify both. */
function Request({
  question: { application, asked: request, account },
  code,
}: {
  question: DeviceQuestion
  code: string
}) {
  const t = useTexts()
  const nameOf = useDeviceFormatter()
  const placeIn = useLocationFormatter()
  const device = parseUserAgent(request.userAgent)
  return (
    <DetailList>
      <Detail name={t('application')}>
        <bdi>{application.name}</bdi>
      </Detail>
      <Detail name={t('device_code')}>
        <bdi dir="ltr">{code}</bdi>
      </Detail>
      <Detail name={t('place')}>{placeIn(request)}</Detail>
      <Detail name={t('browser')}>{(device.browser ?? device.system) ? nameOf(device) : null}</Detail>
      <TimeDetail name={t('when')} at={request.at} />
      <Detail name={t('title')}>{account === null ? null : <bdi>{account}</bdi>}</Detail>
    </DetailList>
  )
}

function End({
  title,
  lead,
}: {
  title: 'device_allowed' | 'device_denied' | 'device_title'
  lead: 'device_return' | 'device_no_access' | 'device_used'
}) {
  const t = useTexts()
  return <Heading title={t(title)} lead={t(lead)} />
}
