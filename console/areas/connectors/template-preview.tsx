import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { MessagePreview } from '../../../src/contract/connectors/message-previews.schema.ts'
import { call } from '../../api/client.ts'
import { useT } from '../../phrases.ts'
import { useDebounced } from '../../ui/fields.tsx'
import { Loading } from '../../ui/page.tsx'
import { prepareMailHtml } from './mail-styles.ts'
import { contentTypeOf, type Template } from './template-list.ts'
import { texts } from './template-phrases.ts'

export type Preview = z.infer<typeof MessagePreview>

type PreviewOptions = {
  factoryId: string
  usageType: Template['usageType']
  language: string
  /** The operator's template, or undefined for the built-in message. */
  template: Template | undefined
  isEnabled: boolean
}

const TYPING_MS = 300

/** Renders the message with example values. What the operator types is sent once they have stopped typing. */
export function usePreview({ factoryId, usageType, language, template, isEnabled }: PreviewOptions) {
  const typed = useDebounced(
    template?.content &&
      JSON.stringify({
        ...(template.subject !== undefined && { subject: template.subject }),
        content: template.content,
        contentType: contentTypeOf(template),
      }),
    TYPING_MS,
  )
  return useQuery<Preview>({
    queryKey: ['message-preview', factoryId, usageType, language, typed],
    async queryFn({ signal }) {
      const body = { usageType, language, ...(typed && { template: JSON.parse(typed) }) }
      return (
        await call<Preview>(`/connectors/${factoryId}/message-preview`, { method: 'POST', body, signal })
      ).data
    },
    enabled: isEnabled,
    placeholderData: (before) => before,
  })
}

/** Shows a rendered message. HTML is shown in a frame without scripts, forms, popups and navigation. */
export function PreviewPane({ preview }: { preview: ReturnType<typeof usePreview> }) {
  const t = useT(texts)
  const { data, error, refetch } = preview
  if (!data) return <Loading failure={error} onRetry={refetch} />
  return (
    <section className="message-preview" aria-label={t('preview')}>
      {data.subject !== null && (
        <p className="subject">
          <span className="hint">{t('subject')}</span> <strong>{data.subject}</strong>
        </p>
      )}
      {data.html === null ? (
        <pre>{data.text}</pre>
      ) : (
        <iframe title={t('previewOf')} sandbox="" srcDoc={prepareMailHtml(data.html)} />
      )}
    </section>
  )
}
