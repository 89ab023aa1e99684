import { firstLanguage } from './language.ts'

const texts = {
  en: {
    lead: 'The console could not be loaded. Perhaps it has been updated, or the server does not answer.',
    reload: 'Load again',
  },
  de: {
    lead: 'Die Konsole ließ sich nicht laden. Vielleicht wurde sie aktualisiert, oder der Server antwortet nicht.',
    reload: 'Neu laden',
  },
}

/** In place of the console. It needs nothing but the entry and its styles: everything else may be what has failed. */
export function showStartFailure(failure: unknown): void {
  const { lead, reload } = texts[firstLanguage()]
  const box = document.createElement('div')
  box.className = 'alert'
  box.setAttribute('role', 'alert')
  const again = document.createElement('button')
  again.className = 'button plain'
  again.textContent = reload
  again.addEventListener('click', () => window.location.reload())
  box.append(paragraph(lead), paragraph(String(failure)), again)
  const place = document.getElementById('console') ?? document.body
  place.replaceChildren(box)
}

function paragraph(text: string): HTMLElement {
  const element = document.createElement('p')
  element.textContent = text
  return element
}
