import { useId, useState } from 'react'
import { useLocation } from 'wouter'
import { type ApiProblem, problemAt, problemOf } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { useExplanation } from '../../ui/toast.tsx'
import { RedirectLines } from './address-lines.tsx'
import { newSecrets } from './application.ts'
import { type Kind, keepsSecret, kindRows, kinds, lackedOf, newApplication } from './kinds.ts'
import { useNewApplication } from './new-draft.ts'
import { texts } from './phrases.ts'
import { settingTexts } from './settings-phrases.ts'

/** What is said of these stands there. */
const fieldsOfForm = ['name', 'oidcClientMetadata.redirectUris']

type Created = { id: string; secret?: string }

export function NewApplication() {
  const t = useT(texts, settingTexts)
  const explain = useExplanation()
  const form = useCreation()
  const { kind, name, redirectUris, problem } = form
  const lackedId = useId()
  const labels = { name: t('name'), redirectUris: t('redirectUris') }
  const row = kindRows[kind]
  return (
    <Page
      title={t('create')}
      lead={t('createLead')}
      parent={{ href: '/applications', title: t('applications') }}
    >
      <form
        className="new-application"
        onSubmit={(event) => {
          event.preventDefault()
          void form.create()
        }}
      >
        <KindChoice value={kind} onChange={form.choose} />
        <Card>
          <TextField
            label={t('name')}
            hint={t('nameHint')}
            value={name}
            onChange={form.setName}
            problem={problem?.fields.name}
            autoComplete="off"
            isRequired
          />
          {row.redirectUri !== null && (
            <RedirectLines
              label={t('redirectUris')}
              hint={t('redirectUrisHint')}
              owner={row}
              value={redirectUris}
              onChange={form.setRedirectUris}
              refused={(index) => problem?.fields[`oidcClientMetadata.redirectUris.${index}`]}
              problem={problem?.fields['oidcClientMetadata.redirectUris']}
            />
          )}
          {problem && !fieldsOfForm.some((field) => problemAt(problem.fields, field)) && (
            <p className="alert" role="alert">
              {explain(problem)}
            </p>
          )}
          {form.lacked.length > 0 && (
            <p className="hint" id={lackedId}>
              {t('needed', { fields: form.lacked.map((field) => labels[field]).join(', ') })}
            </p>
          )}
          <div className="actions">
            <Button
              kind="primary"
              aria-describedby={form.lacked.length > 0 ? lackedId : undefined}
              type="submit"
              isDisabled={!form.isComplete}
            >
              {t('create')}
            </Button>
            {form.isBegun ? (
              <Button onPress={form.discard}>{t('discard')}</Button>
            ) : (
              <ButtonLink href="/applications">{t('cancel')}</ButtonLink>
            )}
          </div>
        </Card>
      </form>
    </Page>
  )
}

function useCreation() {
  const change = useChange()
  const [, navigate] = useLocation()
  const draft = useNewApplication()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { kind, name, redirectUris } = draft
  const { type } = kindRows[kind]

  const typing =
    <Value,>(write: (value: Value) => void) =>
    (value: Value) => {
      setProblem(null)
      write(value)
    }
  const create = async () => {
    setBusy(true)
    try {
      const { data } = await change<Created>('/applications', {
        method: 'POST',
        body: newApplication(kind, { name: name.trim(), redirectUris }),
      })
      draft.discard()
      if (keepsSecret(type) && data.secret) newSecrets.leave(data.id, data.secret)
      navigate(`/applications/${data.id}/guide`)
    } catch (failure) {
      setProblem(problemOf(failure))
      setBusy(false)
    }
  }
  const lacked = lackedOf(kind, { name, redirectUris })
  return {
    kind,
    name,
    redirectUris,
    problem,
    lacked,
    create,
    choose: typing(draft.choose),
    setName: typing((next: string) => draft.change({ name: next })),
    setRedirectUris: typing((next: string[]) => draft.change({ redirectUris: next })),
    isBegun: draft.isBegun,
    discard: () => {
      setProblem(null)
      draft.discard()
    },
    isComplete: !isBusy && lacked.length === 0,
  }
}

function KindChoice({ value, onChange }: { value: Kind; onChange: (kind: Kind) => void }) {
  const t = useT(texts)
  const name = useId()
  return (
    <fieldset className="kinds">
      <legend>{t('kindQuestion')}</legend>
      {kinds.map((kind) => (
        <label key={kind} className="kind">
          <input
            type="radio"
            name={name}
            checked={kind === value}
            aria-describedby={`${name}-${kind}`}
            onChange={() => onChange(kind)}
          />
          <span>
            <strong>{t(kind)}</strong>
            <span className="hint" id={`${name}-${kind}`}>
              {t(`${kind}Lead`)}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
