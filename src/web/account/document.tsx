import type { ReactElement } from 'react'
import { renderToReadableStream } from 'react-dom/server.edge'
import { AccountDocument } from '../../../client/account/account-document.tsx'
import type { AccountView } from '../../../client/account/account-view.tsx'
import { createTranslator, type PhraseKey } from '../../../client/context/phrases.ts'
import { type AccountText, loadAccountTexts } from '../../contract/account/account-catalogue.ts'
import type { BootData } from '../../contract/interactions/boot.ts'

type Drawn = { title: AccountText | PhraseKey; body: ReactElement; view: Omit<AccountView, 'texts'> }

/** The title and the markup of a page, which has no script. Nothing in it suspends. */
export async function accountDocument(boot: BootData, { title, body, view }: Drawn) {
  const { language } = boot
  const texts = await loadAccountTexts(language)
  const t = createTranslator<AccountText>({ language, phrases: texts })
  const stream = await renderToReadableStream(
    <AccountDocument boot={boot} view={{ ...view, texts }}>
      {body}
    </AccountDocument>,
  )
  const isOwn = (key: string): key is AccountText => Object.hasOwn(texts, key)
  return {
    title: isOwn(title) ? t(title) : createTranslator(boot)(title),
    markup: await new Response(stream).text(),
  }
}
