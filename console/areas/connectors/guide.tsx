import { createElement, Fragment, type ReactNode } from 'react'
import { phrases, useT } from '../../phrases.ts'
import { Copyable } from '../../ui/copy.tsx'
import { Card } from '../../ui/page.tsx'
import { type Block, type Inline, parseMarkdown } from './markdown.ts'

const texts = phrases({
  en: { guide: 'What to do at the provider', callback: 'Callback URL' },
  de: { guide: 'Was beim Anbieter zu tun ist', callback: 'Callback-Adresse' },
})

/**
 * Shows the factory's guide to setting up the connector at the provider, with the callback URL to register there.
 * The API returns it in the language of the console.
 */
export function Guide({ readme, callbackUrl }: { readme: string; callbackUrl: string | null }) {
  const t = useT(texts)
  if (readme === '' && !callbackUrl) return null
  const blocks = parseMarkdown(readme.replaceAll('{{callbackUrl}}', callbackUrl ?? ''))
  return (
    <Card title={t('guide')}>
      {callbackUrl && <Copyable label={t('callback')} value={callbackUrl} />}
      {blocks.length > 0 && <div className="provider-guide">{joinParts(blocks.map(drawBlock))}</div>}
    </Card>
  )
}

/** Combines elements into one without keys. Static text needs no keys. */
const joinParts = (parts: readonly ReactNode[]) => createElement(Fragment, null, ...parts)

function drawBlock(block: Block): ReactNode {
  switch (block.kind) {
    case 'heading':
      return <h3>{joinParts(block.content.map(drawInline))}</h3>
    case 'paragraph':
      return <p>{joinParts(block.content.map(drawInline))}</p>
    case 'code':
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      )
    case 'list': {
      const items = joinParts(block.items.map(drawItem))
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>
    }
  }
}

const drawItem = (content: readonly Inline[]): ReactNode => <li>{joinParts(content.map(drawInline))}</li>

function drawInline(part: Inline): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code':
      return <code>{part.text}</code>
    case 'strong':
      return <strong>{part.text}</strong>
    case 'emphasis':
      return <em>{part.text}</em>
    case 'link':
      return (
        <a href={part.href} target="_blank" rel="noreferrer">
          {part.text}
        </a>
      )
  }
}
