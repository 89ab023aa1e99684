import { useState } from 'react'
import { findKeySetProblem } from '../../../src/domain/applications/client-keys.ts'
import { findProblem } from '../../api/problem.ts'
import { useTypedText } from '../../api/typed-text.ts'
import { useT } from '../../phrases.ts'
import { Select, TextField } from '../../ui/fields.tsx'
import type { Application } from './application.ts'
import type { SettingsProps } from './application-form.ts'
import { CollapsibleCard } from './folded-card.tsx'
import { settingPhrases } from './settings-phrases.ts'

type KeySet = NonNullable<Application['customClientMetadata']['jwks']>
const ways = ['secret', 'value', 'address'] as const
type Way = (typeof ways)[number]

/** Lets the application authenticate with signed assertions instead of a secret (spec/provider#client-keys). */
export default function KeysCard(settings: SettingsProps) {
  const t = useT(settingPhrases)
  return (
    <CollapsibleCard title={t('authentication')} lead={t('authenticationLead')}>
      <KeyFields key={settings.form.version} {...settings} />
    </CollapsibleCard>
  )
}

function KeyFields({ application, form, custom, setCustom, problems, isReadOnly }: SettingsProps) {
  const t = useT(settingPhrases)
  const { jwks, jwksUri } = application.customClientMetadata
  const [chosen, choose] = useState<Way | null>(null)
  const way = chosen ?? (jwks || form.unread[JWKS] ? 'value' : jwksUri ? 'address' : 'secret')
  return (
    <>
      <Select
        label={t('way')}
        hint={t(`${way}Hint`)}
        value={way}
        options={ways.map((value) => ({ value, label: t(value) }))}
        isDisabled={isReadOnly}
        onChange={(next) => {
          choose(next)
          form.setUnread(JWKS, null)
          setCustom({ jwks: null, jwksUri: null })
        }}
      />
      {way === 'value' && (
        <KeySetField
          form={form}
          value={jwks ?? null}
          isDisabled={isReadOnly}
          problem={findProblem(problems, JWKS)}
          onChange={(next) => setCustom({ jwks: next, jwksUri: null })}
        />
      )}
      {way === 'address' && (
        <TextField
          label={t('jwksUri')}
          type="url"
          isCode
          {...custom.nullable('jwksUri')}
          onChange={(next) => setCustom({ jwks: null, jwksUri: next || null })}
        />
      )}
    </>
  )
}

const JWKS = 'customClientMetadata.jwks'

/** Edits a key set as JSON. The form's value is updated as soon as the text is a valid key set. */
function KeySetField({
  form,
  value,
  problem,
  isDisabled,
  onChange,
}: {
  form: SettingsProps['form']
  value: KeySet | null
  problem: string | undefined
  isDisabled: boolean
  onChange: (value: KeySet | null) => void
}) {
  const t = useT(settingPhrases)
  const { text, isUnread, change } = useTypedText<KeySet | null>({
    form,
    value,
    onChange,
    field: JWKS,
    read: parseKeySet,
    write: (keys) => (keys ? JSON.stringify(keys, null, 2) : ''),
  })
  const own = isUnread ? t('notKeys') : value && findKeySetProblem(value.keys)
  return (
    <TextField
      label={t('jwks')}
      hint={t('jwksHint')}
      rows={8}
      isCode
      value={text}
      isDisabled={isDisabled}
      problem={own ?? problem}
      onChange={change}
    />
  )
}

/** Parses a key set. Returns undefined if the text isn't a key set. The server checks the keys themselves. */
function parseKeySet(text: string): KeySet | null | undefined {
  if (text.trim() === '') return null
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && 'keys' in parsed && Array.isArray(parsed.keys)
      ? { keys: parsed.keys }
      : undefined
  } catch {
    return undefined
  }
}
