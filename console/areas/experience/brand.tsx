import { lazy, Suspense, useRef } from 'react'
import type { PageLayout } from '../../../src/contract/experience/experience.ts'
import { phrases, useT } from '../../phrases.ts'
import { Button } from '../../ui/button.tsx'
import { Switch, TextField } from '../../ui/fields.tsx'
import { useFocusReturn } from '../../ui/focus.ts'
import { Card } from '../../ui/page.tsx'
import { SegmentedControl } from '../../ui/segments.tsx'
import { ColorField } from '../color-field.tsx'
import { CustomContent } from './custom-content.tsx'
import { copyLightToDark, findUnbrandedDarkParts } from './dark-leftovers.ts'
import { texts } from './phrases.ts'
import { bindSetting, bindSettings, type PartProps, type SettingsForm } from './settings.ts'

// Loaded after the page, which shows the preview first.
const PictureField = lazy(() => import('../picture-field.tsx'))
const CssHelp = lazy(() => import('./css-help.tsx'))

export const brandPhrases = phrases({
  en: {
    brand: 'Name and logo',
    nameHint: 'The name that users know you by. We use it in titles, on pages and in messages.',
    supportContact: 'Support contact',
    supportHint:
      'An email address or an https URL. The sign-in pages and the account center link to it in the footer and in errors. Emails name it.',
    'branding.logoUrl': 'Logo',
    'branding.darkLogoUrl': 'Logo for the dark theme',
    'branding.favicon': 'Favicon',
    'color.primaryColor': 'Brand color',
    'color.isDarkModeEnabled': 'Dark theme',
    darkHint: 'Pages follow the theme of the user’s system.',
    'color.darkPrimaryColor': 'Brand color in the dark theme',
    leftColor: 'In dark mode, the pages still use Vestibule’s color.',
    leftLogo: 'In dark mode, the pages still use Vestibule’s logo.',
    leftBoth: 'In dark mode, the pages still use Vestibule’s color and logo.',
    takeOver: 'Copy from the light theme',
    Card: 'Card',
    Split: 'With a picture',
    Plain: 'Plain',
    'layout.pictureUrl': 'Picture beside the form',
    cssHint: 'Applied after the product’s own styles, on every page.',
  },
  de: {
    brand: 'Name und Logo',
    nameHint:
      'Unter diesem Namen kennen die Benutzer Sie. Er steht in Titeln, auf Seiten und in Nachrichten.',
    supportContact: 'Kontakt für Hilfe',
    supportHint:
      'Eine E-Mail-Adresse oder https-Adresse. Anmeldeseiten und Kontoseiten verweisen am Seitenende und in Fehlermeldungen darauf. E-Mails nennen sie.',
    'branding.logoUrl': 'Logo',
    'branding.darkLogoUrl': 'Logo für das dunkle Erscheinungsbild',
    'branding.favicon': 'Favicon',
    'color.primaryColor': 'Markenfarbe',
    'color.isDarkModeEnabled': 'Dunkles Erscheinungsbild',
    darkHint: 'Die Seiten richten sich nach dem System des Benutzers.',
    'color.darkPrimaryColor': 'Markenfarbe im dunklen Erscheinungsbild',
    leftColor: 'Im dunklen Erscheinungsbild haben die Seiten noch die Farbe von Vestibule.',
    leftLogo: 'Im dunklen Erscheinungsbild haben die Seiten noch das Logo von Vestibule.',
    leftBoth: 'Im dunklen Erscheinungsbild haben die Seiten noch Farbe und Logo von Vestibule.',
    takeOver: 'Vom hellen Erscheinungsbild übernehmen',
    Card: 'Karte',
    Split: 'Mit Bild',
    Plain: 'Schlicht',
    'layout.pictureUrl': 'Bild neben dem Formular',
    cssHint: 'Gilt auf jeder Seite, nach den Stilen des Produkts.',
  },
})

const layouts = ['Card', 'Split', 'Plain'] as const satisfies PageLayout['type'][]

/** Edits the name, logo, colours, layout and the operator's own CSS and HTML. */
export function BrandSettings(form: PartProps) {
  const t = useT(brandPhrases, texts)
  const { settings, change, problems, isReadOnly } = form
  const { layout } = settings
  const fields = bindSettings(form)
  const branding = bindSetting(form, 'branding')
  return (
    <>
      <Colors {...form} />
      <Card title={t('brand')}>
        <TextField label={t('name')} hint={t('nameHint')} {...branding.optional('name')} />
        <TextField
          label={t('supportContact')}
          hint={t('supportHint')}
          {...fields.nullable('supportContact')}
          onChange={(contact) => change({ supportContact: contact.trim() || null })}
        />
        <Suspense>
          <PictureField label={t('branding.logoUrl')} explainsUploads {...branding.optional('logoUrl')} />
          {settings.color.isDarkModeEnabled && (
            <PictureField
              label={t('branding.darkLogoUrl')}
              ground="dark"
              {...branding.optional('darkLogoUrl')}
            />
          )}
          <PictureField label={t('branding.favicon')} {...branding.optional('favicon')} />
        </Suspense>
      </Card>
      <Card title={t('layout')}>
        <SegmentedControl
          label={t('layout')}
          value={layout.type}
          options={layouts.map((value) => ({ value, label: t(value) }))}
          isDisabled={isReadOnly}
          onChange={(type) => change({ layout: { type } })}
        />
        {layout.type === 'Split' && (
          <Suspense>
            <PictureField
              label={t('layout.pictureUrl')}
              explainsUploads
              value={layout.pictureUrl ?? ''}
              problem={problems['layout.pictureUrl']}
              isDisabled={isReadOnly}
              onChange={(address) =>
                change((now) =>
                  now.layout.type === 'Split'
                    ? { layout: { type: 'Split', pictureUrl: address || undefined } }
                    : {},
                )
              }
            />
          </Suspense>
        )}
      </Card>
      <Card title={t('customCss')}>
        <TextField
          label={t('customCss')}
          isLabelHidden
          hint={t('cssHint')}
          rows={8}
          isCode
          {...fields.nullable('customCss')}
        />
        <Suspense>
          <CssHelp />
        </Suspense>
      </Card>
      <CustomContent {...form} />
    </>
  )
}

function Colors(form: SettingsForm) {
  const t = useT(brandPhrases, texts)
  const { settings, change, isReadOnly } = form
  const fields = bindSetting(form, 'color')
  return (
    <Card title={t('color')}>
      <ColorField label={t('color.primaryColor')} {...fields.text('primaryColor')} />
      <Switch
        label={t('color.isDarkModeEnabled')}
        hint={t('darkHint')}
        {...fields.flag('isDarkModeEnabled')}
      />
      {settings.color.isDarkModeEnabled && (
        <ColorField label={t('color.darkPrimaryColor')} {...fields.text('darkPrimaryColor')} />
      )}
      {!isReadOnly && <Leftovers settings={settings} change={change} />}
    </Card>
  )
}

const leftTexts = { color: 'leftColor', logo: 'leftLogo', both: 'leftBoth' } as const

/** Offers to update the dark theme if it still has the product's branding while the light theme has the operator's. */
function Leftovers({ settings, change }: Pick<SettingsForm, 'settings' | 'change'>) {
  const t = useT(brandPhrases, texts)
  const place = useRef<HTMLDivElement>(null)
  const returnFocus = useFocusReturn(place)
  const left = findUnbrandedDarkParts(settings)
  if (!left) return null
  return (
    <div ref={place} className="leftovers">
      <p className="hint" role="status">
        {t(leftTexts[left])}
      </p>
      <Button
        onPress={(event) => {
          change(copyLightToDark)
          returnFocus(event)
        }}
      >
        {t('takeOver')}
      </Button>
    </div>
  )
}
