import { useState } from 'react'
import { keySetProblem } from '../../../src/domain/client-keys.ts'
import { isSame } from '../../api/changes.ts'
import { useT } from '../../phrases.ts'
import { Select, TextField } from '../../ui/fields.tsx'
import type { Application } from './application.ts'
import { type SettingsProps, textOrNull } from './application-form.ts'
import { FoldedCard } from './folded-card.tsx'
import { keepsSecret } from './kinds.ts'
import { keyTexts } from './settings-phrases.ts'

type KeySet = NonNullable<Application['customClientMetadata']['jwks']>
const ways = ['secret', 'value', 'address'] as const
type Way = (typeof ways)[number]

/** Assertions signed with a key of the application in place of a secret (spec/provider#client-keys). */
export function KeysCard({ application, setCustom, problems, isReadOnly }: SettingsProps) {
  const t = useT(keyTexts)
  const { jwks, jwksUri } = application.customClientMetadata
  const [chosen, choose] = useState<Way | null>(null)
  if (!keepsSecret(application.type)) return null
  const way = chosen ?? (jwks ? 'value' : jwksUri ? 'address' : 'secret')
  return (
    <FoldedCard title={t('title')} lead={t('lead')}>
      <Select
        label={t('way')}
        hint={t(`${way}Hint`)}
        value={way}
        options={ways.map((value) => ({ value, label: t(value) }))}
        isDisabled={isReadOnly}
        onChange={(next) => {
          choose(next)
          setCustom({ jwks: null, jwksUri: null })
        }}
      />
      {way === 'value' && (
        <KeySetField
          value={jwks ?? null}
          isDisabled={isReadOnly}
          problem={
            Object.entries(problems).find(([path]) => path.startsWith('customClientMetadata.jwks'))?.[1]
          }
          onChange={(next) => setCustom({ jwks: next, jwksUri: null })}
        />
      )}
      {way === 'address' && (
        <TextField
          label={t('jwksUri')}
          type="url"
          isCode
          value={jwksUri ?? ''}
          isDisabled={isReadOnly}
          problem={problems['customClientMetadata.jwksUri']}
          onChange={(next) => setCustom({ jwks: null, jwksUri: textOrNull(next) })}
        />
      )}
    </FoldedCard>
  )
}

/** JSON, taken over as soon as it is a set of keys. */
function KeySetField({
  value,
  problem,
  isDisabled,
  onChange,
}: {
  value: KeySet | null
  problem: string | undefined
  isDisabled: boolean
  onChange: (value: KeySet | null) => void
}) {
  const t = useT(keyTexts)
  const [text, setText] = useState<string | null>(null)
  const typed = text === null ? value : keySetIn(text)
  const shown = text ?? (value ? JSON.stringify(value, null, 2) : '')
  const own = typed === undefined ? t('notKeys') : typed && keySetProblem(typed.keys)
  const change = (next: string) => {
    setText(next)
    const keys = keySetIn(next)
    if (keys !== undefined && !isSame(keys, value)) onChange(keys)
  }
  return (
    <TextField
      label={t('jwks')}
      hint={t('jwksHint')}
      rows={8}
      isCode
      value={shown}
      isDisabled={isDisabled}
      problem={own ?? problem}
      onChange={change}
    />
  )
}

/** Undefined for what is no set of keys. What the keys are is checked by the server. */
function keySetIn(text: string): KeySet | null | undefined {
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
