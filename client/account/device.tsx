import type { DevicePage } from '../../src/contract/sessions/device.ts'
import { Button } from '../ui/button.tsx'
import { Caution } from '../ui/caution.tsx'
import { DeviceIcon } from '../ui/icons.tsx'
import { useTexts } from './account-view.tsx'
import { Card, ResultCard } from './card.tsx'
import { Input } from './parts.tsx'

/** Lets users sign in on a device that has no browser (spec/pages#devices). */
export function Device({ page }: { page: DevicePage }) {
  const t = useTexts()
  switch (page.stage) {
    case 'code':
      return <Code {...page} />
    case 'allowed':
      return <ResultCard kind="done" title={t('device_allowed')} lead={t('device_return')} />
    case 'denied':
      return <ResultCard kind="failed" title={t('device_denied')} lead={t('device_no_access')} />
    case 'used':
      return <ResultCard kind="expired" title={t('device_title')} lead={t('device_used')} />
  }
}

/**
 * Asks for the code. It is one wide field rather than eight boxes: without a script, boxes would neither move on nor
 * take a pasted code, and a screen reader would announce each of them.
 */
function Code({ action, xsrf, code, isSignedIn, choosesAccount }: Extract<DevicePage, { stage: 'code' }>) {
  const t = useTexts()
  return (
    <Card icon={<DeviceIcon />} title={t('device_title')} lead={t('device_lead')}>
      <form method="post" action={action} className="form device-code">
        <input type="hidden" name="xsrf" value={xsrf} />
        <Input
          name="user_code"
          label={t('device_code')}
          defaultValue={code}
          placeholder="····-····"
          inputMode="text"
          enterKeyHint="go"
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          maxLength={32}
          dir="ltr"
          required
        />
        <Caution>{t('vestibule.consent_device_warning')}</Caution>
        <Button name="confirm" value={choosesAccount ? 'other' : 'yes'}>
          {t('action.continue')}
        </Button>
        {(choosesAccount || !isSignedIn) && <p className="aside">{t('device_sign_in_next')}</p>}
      </form>
    </Card>
  )
}
