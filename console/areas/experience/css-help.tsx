import { phrases, useT } from '../../phrases.ts'
import { cssNames } from './css-names.ts'

const texts = phrases({
  en: {
    title: 'Classes and variables',
    page: 'the whole page',
    main: 'the main area, which is a card on a computer',
    branding: 'the box around the logo',
    picture: 'the panel beside the form, in the layout “With a picture”',
    content: 'your own content',
    signature: 'the line at the bottom',
    body: 'classes on body: the theme and the device',
    radius: 'the corners of fields and buttons',
    width: 'the width of the form',
    font: 'the font; set it on :root to change it everywhere',
    ground: 'the background of the page',
    fill: 'the main button and its text',
    readable: 'links and focus outlines',
    others: 'All other variables and classes are in docs/guides/theming.md. Here’s an example:',
  },
  de: {
    title: 'Klassen und Variablen',
    page: 'die ganze Seite',
    main: 'der Hauptbereich, am Computer eine Karte',
    branding: 'der Platz des Logos',
    picture: 'die Fläche neben dem Formular, im Layout „Mit Bild“',
    content: 'eigene Inhalte',
    signature: 'die Zeile ganz unten',
    body: 'Klassen von body: Erscheinungsbild und Gerät',
    radius: 'Ecken von Feldern und Buttons',
    width: 'Breite des Formulars',
    font: 'die Schrift; auf :root gesetzt ändert sie sich überall',
    ground: 'der Hintergrund der Seite',
    fill: 'der wichtigste Button und sein Text',
    readable: 'Links und Fokusrahmen',
    others: 'Alle anderen Variablen und Klassen stehen in docs/guides/theming.md. Ein Beispiel:',
  },
})

const EXAMPLE = `.vestibule-main { border-radius: 4px; }
body { --radius: 4px; }
body.dark .vestibule-page { background: #001018; }`

/** Lists the class and variable names that operators need most, collapsed below the field. */
export default function CssHelp() {
  const t = useT(texts)
  return (
    <details className="css-help">
      <summary>{t('title')}</summary>
      <dl>
        {cssNames.map(([names, text]) => (
          <div key={names}>
            <dt>
              {names.split(' ').map((name) => (
                <code key={name}>{name} </code>
              ))}
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
      <p className="hint">{t('others')}</p>
      <pre>{EXAMPLE}</pre>
    </details>
  )
}
