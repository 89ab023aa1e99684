import { useId, useState } from 'react'
import { useLocation } from 'wouter'
import { type ApiProblem, findProblem, toProblem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { useExplain } from '../../ui/toast.tsx'
import { RedirectUrisField } from './address-lines.tsx'
import { returnsAfterSignOut } from './after-sign-out.ts'
import { newSecrets } from './application.ts'
import {
  type ApplicationKind,
  applicationKinds,
  canKeepSecret,
  createApplicationBody,
  findMissingFields,
  kindRows,
} from './kinds.ts'
import { useNewApplication } from './new-draft.ts'
import { texts } from './phrases.ts'
import { settingPhrases } from './settings-phrases.ts'

/** The fields that show their own error messages. */
const shownFields = ['name', 'oidcClientMetadata.redirectUris', 'oidcClientMetadata.postLogoutRedirectUris']

type Created = { id: string; secret?: string }

export default function NewApplication() {
  const t = useT(texts, settingPhrases)
  const explain = useExplain()
  const form = useCreateApplication()
  const { kind, name, problem } = form
  const missingId = useId()
  const labels = {
    name: t('name'),
    redirectUris: t('redirectUris'),
    postLogoutRedirectUris: t('postLogoutRedirectUris'),
  }
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
            hint={t(kind === 'machine' ? 'machineNameHint' : 'nameHint')}
            value={name}
            onChange={form.setName}
            problem={problem?.fields.name}
            autoComplete="off"
            isRequired
          />
          {row.redirectUris !== null &&
            (
              [
                'redirectUris',
                ...(returnsAfterSignOut(kind) ? (['postLogoutRedirectUris'] as const) : []),
              ] as const
            ).map((key) => (
              <RedirectUrisField
                key={key}
                label={labels[key]}
                hint={t(`${key}Hint`)}
                owner={row}
                value={form[key]}
                onChange={(uris) => form.setUris({ [key]: uris })}
                problemAt={(index) => problem?.fields[`oidcClientMetadata.${key}.${index}`]}
                problem={problem?.fields[`oidcClientMetadata.${key}`]}
              />
            ))}
          {problem && !shownFields.some((field) => findProblem(problem.fields, field)) && (
            <p className="alert" role="alert">
              {explain(problem)}
            </p>
          )}
          {form.missing.length > 0 && (
            <p className="hint" id={missingId}>
              {t('needed', { fields: form.missing.map((field) => labels[field]).join(', ') })}
            </p>
          )}
          <div className="actions">
            <Button
              kind="primary"
              aria-describedby={form.missing.length > 0 ? missingId : undefined}
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

function useCreateApplication() {
  const change = useChange()
  const [, navigate] = useLocation()
  const draft = useNewApplication()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { kind, name, redirectUris, postLogoutRedirectUris } = draft
  const { type } = kindRows[kind]

  const clearingProblem =
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
        body: createApplicationBody(kind, { name: name.trim(), redirectUris, postLogoutRedirectUris }),
      })
      draft.discard()
      if (canKeepSecret(type) && data.secret) newSecrets.put(data.id, data.secret)
      navigate(`/applications/${data.id}/guide`)
    } catch (failure) {
      setProblem(toProblem(failure))
      setBusy(false)
    }
  }
  const missing = findMissingFields(kind, { name, redirectUris, postLogoutRedirectUris })
  return {
    kind,
    name,
    redirectUris,
    postLogoutRedirectUris,
    problem,
    missing,
    create,
    choose: clearingProblem(draft.choose),
    setName: clearingProblem((next: string) => draft.change({ name: next })),
    setUris: clearingProblem((next: { redirectUris?: string[]; postLogoutRedirectUris?: string[] }) =>
      draft.change(next),
    ),
    isBegun: draft.isBegun,
    discard: () => {
      setProblem(null)
      draft.discard()
    },
    isComplete: !isBusy && missing.length === 0,
  }
}

function KindChoice({
  value,
  onChange,
}: {
  value: ApplicationKind
  onChange: (kind: ApplicationKind) => void
}) {
  const t = useT(texts)
  const name = useId()
  return (
    <fieldset className="kinds">
      <legend>{t('kindQuestion')}</legend>
      {applicationKinds.map((kind) => (
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
