import { useId, useState } from 'react'
import { useLocation } from 'wouter'
import { redirectFault } from '../../../src/domain/redirect-uri.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { useT } from '../../phrases.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { useExplanation } from '../../ui/toast.tsx'
import { useWords } from '../../ui/words.ts'
import { RedirectLines } from './address-lines.tsx'
import { type Kind, keepsSecret, kindRows, kinds, newApplication } from './kinds.ts'
import { keepSecret } from './new-secret.ts'
import { texts } from './phrases.ts'

type Created = { id: string; secret?: string }

export function NewApplication() {
  const t = useT(texts)
  const words = useWords()
  const explain = useExplanation()
  const form = useCreation()
  const { kind, name, redirectUris, problem } = form
  const { type, redirectUri } = kindRows[kind]
  return (
    <Page title={t('create')} lead={t('createLead')} parent={{ href: '/applications', title: t('title') }}>
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
          {redirectUri !== null && (
            <RedirectLines
              label={t('redirectUris')}
              hint={t('redirectUrisHint')}
              type={type}
              value={redirectUris}
              onChange={form.setRedirectUris}
              refused={(index) => problem?.fields[`oidcClientMetadata.redirectUris.${index}`]}
              problem={problem?.fields['oidcClientMetadata.redirectUris']}
            />
          )}
          {problem && Object.keys(problem.fields).length === 0 && (
            <p className="alert" role="alert">
              {explain(problem)}
            </p>
          )}
          <div className="actions">
            <Button kind="primary" type="submit" isDisabled={!form.isComplete}>
              {t('create')}
            </Button>
            <ButtonLink href="/applications">{words('cancel')}</ButtonLink>
          </div>
        </Card>
      </form>
    </Page>
  )
}

function useCreation() {
  const change = useChange()
  const [, navigate] = useLocation()
  const [kind, setKind] = useState<Kind>('spa')
  const [name, setName] = useState('')
  const [redirectUris, setRedirectUris] = useState<string[]>([kindRows.spa.redirectUri ?? ''])
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { type, redirectUri } = kindRows[kind]

  const choose = (next: Kind) => {
    setKind(next)
    setProblem(null)
    const { redirectUri: start } = kindRows[next]
    setRedirectUris(start === null ? [] : [start])
  }
  const create = async () => {
    setBusy(true)
    try {
      const { data } = await change<Created>('/applications', {
        method: 'POST',
        body: newApplication(kind, { name: name.trim(), redirectUris }),
      })
      if (keepsSecret(type) && data.secret) keepSecret(data.id, data.secret)
      navigate(`/applications/${data.id}/guide`)
    } catch (failure) {
      if (!(failure instanceof ApiProblem)) throw failure
      setProblem(failure)
      setBusy(false)
    }
  }
  const hasAddresses =
    redirectUri === null ||
    (redirectUris.length > 0 && redirectUris.every((uri) => redirectFault(uri, type) === null))
  return {
    ...{ kind, name, redirectUris, problem, choose, create, setName, setRedirectUris },
    isComplete: !isBusy && name.trim() !== '' && hasAddresses,
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
